#pragma once

#include "control/controller.hpp"
#include "node/launcher/decide.hpp"
#include "node/site.hpp"

namespace godwit::node::launcher {

// Runs the pods that are guests.
class Reconciler {
 public:
  explicit Reconciler(Site& site) : site_(site) {}

  Result<control::Again> reconcile(const kinds::Pod& pod);

 private:
  struct Scene {
    std::optional<kinds::VirtualMachineInstance> instance;
    std::string waitsFor = {};  // why the volumes are not ready, in a sentence
    Observed observed;
  };

  Result<Scene> observe(const kinds::Pod& pod) const;
  // Why some volume of the pod may not be used yet; empty when all may.
  Result<std::string> whyNotYet(const kinds::Pod& pod) const;
  Result<> perform(const kinds::Pod& pod, const Scene& scene, Duty duty) const;
  // The instance's disks on the claims of the pod, every image in place and every password told.
  Result<std::vector<hypervisor::Disk>> prepareDisks(const kinds::Pod& pod,
                                                     const kinds::VirtualMachineInstance& instance) const;
  // The image of a claim that the instance uses, as large as it is to be.
  Result<> prepareOwn(const kinds::PersistentVolume& volume, const kinds::VirtualMachineInstance& instance) const;
  // The image of a claim that the instance moves to.
  Result<> prepareDestination(const kinds::PersistentVolume& volume, const kinds::PersistentVolume& source) const;
  // For people: the names of the volumes behind the pod's claims, and of the Secrets that they are logged in to by.
  std::string volumesOf(const kinds::Pod& pod) const;
  Result<> startGuest(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance) const;

  Site& site_;
};

}  // namespace godwit::node::launcher
