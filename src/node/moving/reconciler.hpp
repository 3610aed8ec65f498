#pragma once

#include "control/controller.hpp"
#include "node/moving/decide.hpp"
#include "node/site.hpp"

namespace godwit::node::moving {

// Runs the pods that are movers.
class Reconciler {
 public:
  explicit Reconciler(Site& site) : site_(site) {}

  Result<control::Again> reconcile(const kinds::Pod& pod);

 private:
  Result<> record(const kinds::Pod& pod, const Step& step, const Movers::State& mover) const;
  Result<> perform(const kinds::Pod& pod, const std::string& move, Duty duty) const;
  Result<> start(const kinds::Pod& pod, const std::string& move) const;
  Result<> passOptionsOn(const kinds::Pod& pod, const std::string& move) const;
  Result<> publish(const kinds::Pod& pod, const std::string& move) const;
  // How memory is copied goes on record where KubeVirt has it.
  Result<> tellMode(const object::Key& migration, const std::string& mode) const;

  Site& site_;
};

}  // namespace godwit::node::moving
