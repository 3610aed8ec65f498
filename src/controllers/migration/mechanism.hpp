#pragma once

#include <vector>

#include "kinds/migration.hpp"
#include "kinds/node.hpp"
#include "kinds/volume.hpp"

namespace godwit::controllers::migration {

// A volume that is to be the guest's, and what is known of where it can be reached.
struct Destination {
  const kinds::PersistentVolumeClaim* claim = nullptr;
  const kinds::PersistentVolume* volume = nullptr;  // null until the claim is bound
};

// Whether it cannot be but in place.
bool isOnlyInPlace(const kinds::MigrationSpec& asked);

// Whether it can be used there: a claim that waits for its first consumer can be bound there.
bool isReachedFrom(const kinds::Node& node, const Destination& destination);

// In place when volumes move and the guest's own node reaches all of them (a claim that waits for its first consumer
// can be bound there) and is not left out by the migration, unless somebody asked for the one or the other.
kinds::Mechanism chooseMechanism(const kinds::MigrationSpec& asked, const std::vector<Destination>& destinations,
                                 const kinds::Node& source);

}  // namespace godwit::controllers::migration
