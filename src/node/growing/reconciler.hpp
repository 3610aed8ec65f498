#pragma once

#include "control/controller.hpp"
#include "node/growing/decide.hpp"
#include "node/site.hpp"

namespace godwit::node::growing {

// Makes volumes as large as their capacity says, and puts on record that they are.
class Reconciler {
 public:
  explicit Reconciler(Site& site) : site_(site) {}

  // Of a volume that this node reaches, as the server has it.
  Result<control::Again> reconcile(const kinds::PersistentVolume& volume);

 private:
  struct Disk {
    std::string domain;
    std::string target;
  };
  struct Scene {
    hypervisor::DiskSource source;
    std::optional<Disk> disk;  // what the volume is to the guest that has it here
    Observed observed;
  };

  Result<Scene> observe(const kinds::PersistentVolume& volume) const;
  Result<std::optional<Disk>> findDisk(const std::string& domain, const hypervisor::DiskSource& source) const;
  Result<> perform(const kinds::PersistentVolume& volume, const Scene& scene, Duty duty) const;

  Site& site_;
};

}  // namespace godwit::node::growing
