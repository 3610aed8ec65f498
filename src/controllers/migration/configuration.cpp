#include "controllers/migration/configuration.hpp"

#include <algorithm>

#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

bool isTheUsualOne(const kinds::KubeVirt& one) {
  return one.metadata.nameSpace == kinds::words::kKubeVirt && one.metadata.name == kinds::words::kKubeVirt;
}

bool goesBefore(const std::shared_ptr<const kinds::KubeVirt>& left,
                const std::shared_ptr<const kinds::KubeVirt>& right) {
  if (isTheUsualOne(*left) != isTheUsualOne(*right)) return isTheUsualOne(*left);
  return std::pair(left->metadata.creationTimestamp, left->metadata.key()) <
         std::pair(right->metadata.creationTimestamp, right->metadata.key());
}

}  // namespace

kinds::MigrationConfiguration configurationOf(const KubeVirts& all) {
  const auto chosen = std::min_element(all.begin(), all.end(), goesBefore);
  if (chosen == all.end() || !(*chosen)->spec.configuration) return {};
  return (*chosen)->spec.configuration->migrations.value_or(kinds::MigrationConfiguration{});
}

}  // namespace godwit::controllers::migration
