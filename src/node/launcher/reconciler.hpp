#pragma once

#include <set>

#include "base/mutex.hpp"
#include "control/controller.hpp"
#include "node/container_disks.hpp"
#include "node/launcher/decide.hpp"
#include "node/site.hpp"

namespace godwit::node::launcher {

// Runs the pods that are guests.
class Reconciler {
 public:
  explicit Reconciler(Site& site);

  Result<control::Again> reconcile(const kinds::Pod& pod);

 private:
  struct Scene {
    std::optional<kinds::VirtualMachineInstance> instance;
    std::string waitsFor = {};                 // why the volumes are not ready, in a sentence
    std::vector<hypervisor::DiskState> disks;  // that the guest has
    Observed observed;
  };

  static bool ownsGuest(const Scene& scene);
  Result<Scene> observe(const kinds::Pod& pod);
  // Whether a guest that is not here has gone on here before.
  Result<> lookForTraces(const std::string& domain, Observed& seen) const;
  // What was noted of an arrival is of no use once the guest is this pod's.
  Result<> forgetArrival(const kinds::Pod& pod);
  // Why some volume of the pod may not be used yet; empty when all may.
  Result<std::string> whyNotYet(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance);
  Result<> perform(const kinds::Pod& pod, const Scene& scene, Duty duty) const;
  // Says on the pod what is about to be done, or was seen, of a guest that is to stand still.
  Result<kinds::Pod> notePause(const kinds::Pod& pod, const Observed& observed, Duty duty) const;
  Result<> startGuest(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance) const;
  // Gives up what only a guest on this node needs.
  Result<> release(const kinds::Pod& pod, const Scene& scene) const;

  Site& site_;
  ContainerDisks containerDisks_;
  Mutex mutex_;
  std::set<std::string> settledIn_ GUARDED_BY(mutex_);  // pods whose guests' arrivals are forgotten
};

}  // namespace godwit::node::launcher
