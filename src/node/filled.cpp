#include "node/filled.hpp"

#include <fmt/format.h>

#include "kinds/claim_use.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/words.hpp"

namespace godwit::node {
namespace {

namespace words = kinds::words;

std::string describe(const kinds::DataVolume& volume) {
  const kinds::Condition* running = kinds::findCondition(volume.status.conditions, "Running");
  std::string text = fmt::format("DataVolume {} is {}", volume.metadata.name, schema::nameOf(volume.status.phase));
  if (running && !running->message.empty()) text += ": " + running->message;
  return text;
}

Result<std::string> whyNotFilled(const client::Client& client, const std::string& nameSpace,
                                 const schema::OwnerReference& owner) {
  const auto volume = TRY(client.find<kinds::DataVolume>({nameSpace, owner.name}));
  if (!volume || volume->metadata.uid != owner.uid)
    return fmt::format("DataVolume {}, which fills the claim, is gone", owner.name);
  return volume->status.phase == kinds::DataVolumePhase::Succeeded ? "" : describe(*volume);
}

}  // namespace

Result<std::string> whyNotYet(const client::Client& client, const object::Key& key) {
  const auto claim = TRY(client.find<kinds::PersistentVolumeClaim>(key));
  if (!claim) return fmt::format("claim {} does not exist", key.name);
  if (claim->metadata.beingDeleted()) return fmt::format("persistentvolumeclaim \"{}\" is being deleted", key.name);
  for (const schema::OwnerReference& owner : claim->metadata.ownerReferences)
    if (owner.kind == schema::kind<kinds::DataVolume>.name)
      if (std::string why = TRY(whyNotFilled(client, key.nameSpace, owner)); !why.empty()) return why;
  const auto importers = TRY(
      client.list(schema::kind<kinds::Pod>, {.nameSpace = key.nameSpace,
                                             .labelSelector = fmt::format("{}={}", words::kApp, words::kAppImporter),
                                             .fieldSelector = ""}));
  for (const object::Document& document : importers.items)
    if (const auto pod = schema::view<kinds::Pod>(document); !pod.ended() && kinds::mounts(pod, key.name))
      return fmt::format("pod {} works on claim {}", pod.metadata.name, key.name);
  return "";
}

}  // namespace godwit::node
