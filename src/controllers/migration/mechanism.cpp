#include "controllers/migration/mechanism.hpp"

#include <algorithm>

#include "controllers/migration/restriction.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

bool reaches(const kinds::Node& node, const Destination& destination) {
  if (destination.volume) return kinds::isReachedFrom(*destination.volume, node.metadata.name, node.metadata.labels);
  const std::string chosen = object::valueOf(destination.claim->metadata.annotations, kinds::words::kSelectedNode);
  return chosen.empty() || chosen == node.metadata.name;
}

}  // namespace

kinds::Mechanism chooseMechanism(const kinds::MigrationSpec& asked, const std::vector<Destination>& destinations,
                                 const kinds::Node& source) {
  if (destinations.empty()) return kinds::Mechanism::AcrossNodes;
  if (asked.mechanism != kinds::Mechanism::Auto) return asked.mechanism;
  if (!allows(asked, source)) return kinds::Mechanism::AcrossNodes;
  const bool allReached = std::all_of(destinations.begin(), destinations.end(),
                                      [&](const Destination& destination) { return reaches(source, destination); });
  return allReached ? kinds::Mechanism::InPlace : kinds::Mechanism::AcrossNodes;
}

}  // namespace godwit::controllers::migration
