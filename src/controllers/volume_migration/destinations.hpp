#pragma once

#include "controllers/world.hpp"

// The claims of a wish: where its volumes go, and what becomes of those that nobody needs in the end.
namespace godwit::controllers::volume_migration {

// The volumes, each with the name of its destination. That of a claim to be made follows from the wish, so that whoever
// comes after a crash finds the one that is there.
std::vector<kinds::MigratedVolume> volumesOf(const kinds::VolumeMigration& wish);

std::vector<kinds::MigratedClaim> claimsOf(const kinds::VolumeMigration& wish);

// As large as the source's disk is.
kinds::PersistentVolumeClaim renderDestination(const kinds::VolumeMigration& wish, const kinds::MigratedVolume& volume,
                                               const kinds::PersistentVolumeClaim& source, std::int64_t bytes,
                                               const kinds::StorageClass& storageClass);

// Makes those that are not there.
Result<> makeDestinations(const World& world, const kinds::VolumeMigration& wish);
// Deletes those that were made for the wish and that nobody has come to use.
Result<> removeDestinations(const World& world, const kinds::VolumeMigration& wish);
// Deletes the sources that are to go, once success is on record and seen there.
Result<> reclaimSources(const World& world, const kinds::VolumeMigration& wish);

}  // namespace godwit::controllers::volume_migration
