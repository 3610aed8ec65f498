#pragma once

#include <memory>

#include "controllers/volume_migration/way_back.hpp"
#include "controllers/world.hpp"

// How the way back of a volume migration is looked at, written down, and made.
namespace godwit::controllers::volume_migration::way_back {

// The guest, and the migration that would bring it back; null where there is none.
struct Scene {
  std::shared_ptr<const kinds::VirtualMachineInstance> instance;
  std::shared_ptr<const kinds::VirtualMachine> machine;
  std::shared_ptr<const kinds::VirtualMachineInstanceMigration> migration;
};

std::string migrationName(const kinds::VolumeMigration& wish);

// `moved`: the guest and its VM use the destinations.
Observed observe(const World& world, const kinds::VolumeMigration& wish, const Scene& scene, bool moved);

// Puts what follows from it into the status.
void note(kinds::VolumeMigrationStatus& status, const kinds::VolumeMigration& wish, const Observed& observed,
          Timestamp now);

Result<> perform(const World& world, const kinds::VolumeMigration& wish, const Scene& scene);

// Until the time is up; nothing when the way is not open.
std::optional<Duration> timeLeft(const kinds::VolumeMigrationStatus& status, Timestamp now);

}  // namespace godwit::controllers::volume_migration::way_back
