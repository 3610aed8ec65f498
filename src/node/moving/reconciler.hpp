#pragma once

#include <map>
#include <string>

#include "base/mutex.hpp"
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
  Result<> record(const kinds::Pod& pod, const std::string& move, const Step& step, const Movers::State& mover) const;
  Result<> perform(const kinds::Pod& pod, const std::string& move, Duty duty);
  Result<> start(const kinds::Pod& pod, const std::string& move) const;
  Result<> passOptionsOn(const kinds::Pod& pod, const std::string& move) const;
  Result<control::Again> publishNowAndThen(const kinds::Pod& pod, const std::string& move);
  void forget(const std::string& move);
  Result<> publish(const kinds::Pod& pod, const std::string& move) const;
  // How memory is copied goes on record where KubeVirt has it.
  Result<> tellMode(const kinds::Pod& pod, const mover::Progress& progress) const;

  Site& site_;
  Mutex mutex_;
  std::map<std::string, Timestamp> published_ GUARDED_BY(mutex_);  // when, by move
};

}  // namespace godwit::node::moving
