#include "controllers/claim_users.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kinds/claim_use.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers {
namespace {

using Pods = std::vector<std::shared_ptr<const kinds::Pod>>;
using Instances = std::vector<std::shared_ptr<const kinds::VirtualMachineInstance>>;

// A pod mounts all that its guest began with; which of that a running guest still has, its instance says.
bool isSpokenFor(const kinds::Pod& pod, const Instances& instances) {
  const std::string owner = object::valueOf(pod.metadata.labels, kinds::words::kCreatedBy);
  return std::any_of(instances.begin(), instances.end(), [&](const auto& instance) {
    return instance->metadata.uid == owner && instance->status.godwit.activePod == pod.metadata.name &&
           instance->status.phase == kinds::InstancePhase::Running;
  });
}

// Of those that were there at `since`, if that is said.
std::string firstOf(const Instances& instances, const Pods& pods, const std::string& claim,
                    const std::optional<Timestamp>& since) {
  const auto uses = [&](const auto& user) {
    return kinds::usesClaim(user, claim) && (!since || user.metadata.creationTimestamp <= since);
  };
  for (const auto& instance : instances)
    if (uses(*instance)) return fmt::format("VirtualMachineInstance {}", instance->metadata.name);
  for (const auto& pod : pods)
    if (uses(*pod) && !isSpokenFor(*pod, instances)) return fmt::format("Pod {}", pod->metadata.name);
  return "";
}

Instances knownInstances(const World& world, const object::Key& claim, const Pods& pods) {
  Instances known;
  for (const char* index : {index::kByClaim, index::kByDestination})
    for (const auto& instance : world.instances.by(index, object::show(claim))) known.push_back(instance);
  for (const auto& pod : pods)
    if (const auto instance =
            world.instances.get({claim.nameSpace, object::valueOf(pod->metadata.labels, kinds::words::kVmiName)}))
      known.push_back(instance);
  return known;
}

template <class T>
Result<std::vector<std::shared_ptr<const T>>> listIn(const World& world, const std::string& nameSpace) {
  std::vector<std::shared_ptr<const T>> all;
  const auto listed =
      TRY(world.client.list(schema::kind<T>, {.nameSpace = nameSpace, .labelSelector = "", .fieldSelector = ""}));
  for (const object::Document& document : listed.items)
    all.push_back(std::make_shared<const T>(schema::view<T>(document)));
  return all;
}

}  // namespace

Result<std::string> whoUses(const World& world, const object::Key& claim, const std::optional<Timestamp>& since) {
  const Pods known = world.pods.by(index::kByClaim, object::show(claim));
  if (std::string user = firstOf(knownInstances(world, claim, known), known, claim.name, since); !user.empty())
    return user;
  const auto instances = TRY(listIn<kinds::VirtualMachineInstance>(world, claim.nameSpace));
  return firstOf(instances, TRY(listIn<kinds::Pod>(world, claim.nameSpace)), claim.name, since);
}

}  // namespace godwit::controllers
