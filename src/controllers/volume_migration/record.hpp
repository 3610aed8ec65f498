#pragma once

#include "controllers/volume_migration/decide.hpp"
#include "controllers/world.hpp"

// What is put on record of a VolumeMigration, whichever way its volumes go.
namespace godwit::controllers::volume_migration {

// Writes the status, with the step, and tells people when the phase is another one. A wish that will have something to
// clear away is held from when it begins.
Result<> putOnRecord(World& world, const kinds::VolumeMigration& wish, kinds::VolumeMigrationStatus status,
                     const Step& step);

// A wish that has ended, and has nothing to clear away any more, may go.
Result<> release(const World& world, const kinds::VolumeMigration& wish);

}  // namespace godwit::controllers::volume_migration
