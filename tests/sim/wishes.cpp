#include "sim/processes.hpp"

// What people ask for.
namespace godwit::sim {

void Simulation::createMachine(const std::string& name, const std::string& claim) {
  kinds::VirtualMachine machine;
  machine.metadata.name = name;
  machine.metadata.nameSpace = "default";
  machine.spec.running = true;
  auto& spec = machine.spec.instance.spec;
  spec.domain.resources.requests = {{"memory", "16Mi"}};
  spec.domain.devices.disks = {{.name = "root",
                                .disk = kinds::DiskDevice{"virtio"},
                                .lun = {},
                                .serial = "",
                                .bootOrder = 0,
                                .shareable = false}};
  spec.volumes = {{"root", kinds::ClaimReference{claim}, std::nullopt}};
  (void)people_->create(machine);
}

void Simulation::migrate(const std::string& name) {
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.name = name;
  migration.metadata.nameSpace = "default";
  migration.spec.vmiName = kMachine;
  (void)people_->create(migration);
}

void Simulation::moveVolume(const std::string& name, const std::string& from, const std::string& to,
                            kinds::Mechanism mechanism) {
  kinds::VolumeMigration wish;
  wish.metadata.name = name;
  wish.metadata.nameSpace = "default";
  wish.spec.migratedVolume = {{from, to, kinds::SourceReclaimPolicy::Retain}};
  wish.spec.mechanism = mechanism;
  (void)people_->create(wish);
}

void Simulation::deleteMachine() {
  leaving_ = true;
  guestBegun_ = false;
  (void)people_->remove(schema::kind<kinds::VirtualMachine>, {"default", kMachine});
}

}  // namespace godwit::sim
