#pragma once

#include "controllers/volume_migration/offline/decide.hpp"
#include "controllers/world.hpp"

// The pods that copy the volumes of a wish: one for each volume, and new ones for each attempt.
namespace godwit::controllers::volume_migration::offline {

struct Copy {
  std::string source;                     // claim
  std::shared_ptr<const kinds::Pod> pod;  // null while there is none
};

// Those of the attempt that is on record, in the order of the volumes.
Result<std::vector<Copy>> copiesOf(const World& world, const kinds::VolumeMigration& wish);

Observed::Copies summarise(const std::vector<Copy>& copies, Timestamp now);
kinds::MoveProgress progressOf(const std::vector<Copy>& copies);
// Why the first one of them waits or has failed; empty if nobody says.
std::string troubleOf(const std::vector<Copy>& copies);

// Makes those that are not there, once none of another attempt can write any more.
Result<> makeCopies(const World& world, const kinds::VolumeMigration& wish);
// Has all of them removed but those of `attempt`; whether none of the others is there any more.
Result<bool> removeCopies(const World& world, const kinds::VolumeMigration& wish,
                          std::optional<std::int64_t> attempt = std::nullopt);

}  // namespace godwit::controllers::volume_migration::offline
