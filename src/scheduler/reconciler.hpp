#pragma once

#include <memory>

#include "control/controller.hpp"
#include "scheduler/choose.hpp"
#include "scheduler/view.hpp"

namespace godwit::scheduler {

// Finds a node for every pod that has none, and binds it there once its claims are bound.
class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(View& view) : view_(view) {}

  // Looks at a pod when it changes, and again at those that wait when something happens that could help them.
  static void listen(View& view, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  // The pod, the claims it mounts, and what came of it.
  struct Scene {
    std::shared_ptr<const kinds::Pod> pod;
    std::vector<ClaimView> claims;
    Verdict verdict;
  };

  Result<> perform(const Scene& scene, Duty duty) const;
  Result<> refuse(const Scene& scene) const;
  Result<> selectNode(const Scene& scene) const;
  Result<> bind(const Scene& scene) const;

  View& view_;
};

}  // namespace godwit::scheduler
