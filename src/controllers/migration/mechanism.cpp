#include "controllers/migration/mechanism.hpp"

#include <algorithm>

#include "controllers/migration/restriction.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {

bool isOnlyInPlace(const kinds::MigrationSpec& asked) {
  return asked.mechanism == kinds::Mechanism::InPlace || (asked.verify && !asked.migratedVolumes.empty());
}

bool isReachedFrom(const kinds::Node& node, const Destination& destination) {
  if (destination.volume) return kinds::isReachedFrom(*destination.volume, node.metadata.name, node.metadata.labels);
  const std::string chosen = object::valueOf(destination.claim->metadata.annotations, kinds::words::kSelectedNode);
  return chosen.empty() || chosen == node.metadata.name;
}

kinds::Mechanism chooseMechanism(const kinds::MigrationSpec& asked, const std::vector<Destination>& destinations,
                                 const kinds::Node& source) {
  if (destinations.empty()) return kinds::Mechanism::AcrossNodes;
  if (isOnlyInPlace(asked)) return kinds::Mechanism::InPlace;
  if (asked.mechanism != kinds::Mechanism::Auto) return asked.mechanism;
  if (!allows(asked, source)) return kinds::Mechanism::AcrossNodes;
  const bool allReached = std::all_of(destinations.begin(), destinations.end(), [&](const Destination& destination) {
    return isReachedFrom(source, destination);
  });
  return allReached ? kinds::Mechanism::InPlace : kinds::Mechanism::AcrossNodes;
}

}  // namespace godwit::controllers::migration
