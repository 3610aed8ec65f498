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
  const bool cleared = random_.chance(2);
  using enum kinds::SourceReclaimPolicy;
  wish.spec.migratedVolume = {{from, to, cleared ? Delete : Retain}};
  wish.spec.mechanism = mechanism;
  wish.spec.verify = mechanism == kinds::Mechanism::Auto && random_.chance(2);
  (void)people_->create(wish);
}

void Simulation::editClaim(const std::string& claim) {
  const auto machine = get<kinds::VirtualMachine>(kMachine);
  if (!machine) return;
  auto after = *machine;
  after.spec.updateVolumesStrategy = kinds::update_strategy::kMigration;
  after.spec.instance.spec.volumes.at(0).persistentVolumeClaim->claimName = claim;
  (void)people_->change(*machine, after, client::Unless::Never);
}

bool Simulation::usesClaim(const std::string& claim) const {
  const auto instance = get<kinds::VirtualMachineInstance>(kMachine);
  return instance && instance->spec.volumes.at(0).claim() == claim;
}

void Simulation::deleteMachine() {
  leaving_ = true;
  guestBegun_ = false;
  (void)people_->remove(schema::kind<kinds::VirtualMachine>, {"default", kMachine});
}

void Simulation::deleteTheRest() {
  for (const schema::Kind& kind :
       {schema::kind<kinds::VolumeMigration>, schema::kind<kinds::VirtualMachineInstanceMigration>,
        schema::kind<kinds::PersistentVolumeClaim>})
    if (const auto listed = people_->list(kind))
      for (const auto& document : listed->items) (void)people_->remove(kind, object::keyOf(document));
}

}  // namespace godwit::sim
