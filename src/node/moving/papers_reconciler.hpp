#pragma once

#include "control/controller.hpp"
#include "node/site.hpp"

namespace godwit::node::moving {

// Removes the papers of moves that nobody will ask for any more: their pods went while this node was dead. One key
// stands for all of them.
class PapersReconciler final : public control::Reconciler {
 public:
  explicit PapersReconciler(Site& site) : site_(site) {}

  static void listen(Site& site, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  // Whether there is a mover's pod, or a migration that has not ended, as the server itself says.
  Result<bool> isAwaited(const std::string& move) const;

  Site& site_;
};

}  // namespace godwit::node::moving
