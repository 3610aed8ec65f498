#include "controllers/migration/options.hpp"

#include <algorithm>
#include <tuple>

#include "kinds/kubevirt.hpp"
#include "schema/write.hpp"

namespace godwit::controllers::migration {
namespace {

bool has(const Labels& labels, const Labels& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& label) {
    const auto found = labels.find(label.first);
    return found != labels.end() && found->second == label.second;
  });
}

bool isFor(const kinds::MigrationPolicy& policy, const Labelled& guest) {
  const auto& selectors = policy.spec.selectors;
  return selectors && has(guest.nameSpace, selectors->namespaceSelector) &&
         has(guest.instance, selectors->virtualMachineInstanceSelector);
}

// The more labels, the closer.
auto closeness(const kinds::MigrationPolicy& policy) {
  const std::size_t own = policy.spec.selectors->virtualMachineInstanceSelector.size();
  return std::pair(policy.spec.selectors->namespaceSelector.size() + own, own);
}

template <class T>
void overlay(std::optional<T>& below, const std::optional<T>& above) {
  if (above) below = above;
}

void overlay(kinds::MigrationOptions& below, const kinds::MigrationOptions& above) {
  overlay(below.bandwidthPerMigration, above.bandwidthPerMigration);
  overlay(below.completionTimeoutPerGiB, above.completionTimeoutPerGiB);
  overlay(below.progressTimeout, above.progressTimeout);
  overlay(below.maxDowntimeMs, above.maxDowntimeMs);
  overlay(below.allowAutoConverge, above.allowAutoConverge);
  overlay(below.allowPostCopy, above.allowPostCopy);
  // Whoever speaks of the one and not of the other means both.
  overlay(below.allowWorkloadDisruption, above.allowPostCopy);
  overlay(below.allowWorkloadDisruption, above.allowWorkloadDisruption);
  overlay(below.holdSwitchOver, above.holdSwitchOver);
}

}  // namespace

std::shared_ptr<const kinds::MigrationPolicy> policyFor(const Policies& all, const Labelled& guest) {
  std::shared_ptr<const kinds::MigrationPolicy> closest;
  for (const auto& policy : all) {
    if (!isFor(*policy, guest)) continue;
    const bool closer = !closest || closeness(*closest) < closeness(*policy) ||
                        (closeness(*closest) == closeness(*policy) && policy->metadata.name < closest->metadata.name);
    if (closer) closest = policy;
  }
  return closest;
}

Resolved resolve(const kinds::MigrationOptions& cluster, const kinds::MigrationPolicy* policy,
                 const std::optional<kinds::MigrationOptions>& own) {
  Resolved resolved;
  overlay(resolved.options, kinds::usualMigrations());
  overlay(resolved.options, cluster);
  if (policy) overlay(resolved.options, policy->spec);
  if (policy) resolved.policy = policy->metadata.name;
  if (own) overlay(resolved.options, *own);
  return resolved;
}

std::string writeOptions(const kinds::MigrationOptions& options) { return json::serialize(schema::write(options)); }

}  // namespace godwit::controllers::migration
