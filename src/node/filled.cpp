#include "node/filled.hpp"

#include <fmt/format.h>

#include "kinds/claim_use.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/volume_migration.hpp"
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

Result<std::string> whoWorksOn(const client::Client& client, const object::Key& key) {
  const auto importers = TRY(
      client.list(schema::kind<kinds::Pod>, {.nameSpace = key.nameSpace,
                                             .labelSelector = fmt::format("{}={}", words::kApp, words::kAppImporter),
                                             .fieldSelector = ""}));
  for (const object::Document& document : importers.items)
    if (const auto pod = schema::view<kinds::Pod>(document); !pod.ended() && kinds::mounts(pod, key.name))
      return fmt::format("pod {} works on claim {}", pod.metadata.name, key.name);
  return "";
}

// From the first copy until the VM knows where its disks are; pods come and go meanwhile.
Result<std::string> whoHolds(const client::Client& client, const object::Key& key) {
  const auto wishes = TRY(client.list(schema::kind<kinds::VolumeMigration>,
                                      {.nameSpace = key.nameSpace, .labelSelector = "", .fieldSelector = ""}));
  for (const object::Document& document : wishes.items)
    if (const auto wish = schema::view<kinds::VolumeMigration>(document); kinds::holdsClaim(wish, key.name))
      return fmt::format("VolumeMigration {} copies claim {}", wish.metadata.name, key.name);
  return "";
}

}  // namespace

Result<std::string> whyNotYet(const client::Client& client, const object::Key& key,
                              const kinds::VirtualMachineInstance* guest) {
  const auto claim = TRY(client.find<kinds::PersistentVolumeClaim>(key));
  if (!claim) return fmt::format("claim {} does not exist", key.name);
  if (claim->metadata.beingDeleted()) return fmt::format("persistentvolumeclaim \"{}\" is being deleted", key.name);
  for (const schema::OwnerReference& owner : claim->metadata.ownerReferences)
    if (owner.kind == schema::kind<kinds::DataVolume>.name)
      if (std::string why = TRY(whyNotFilled(client, key.nameSpace, owner)); !why.empty()) return why;
  if (guest && kinds::isLeftBehind(*guest, *claim))
    return fmt::format("the disk is not on claim {} any more; the VM has yet to be started from where it is", key.name);
  if (std::string why = TRY(whoHolds(client, key)); !why.empty()) return why;
  return whoWorksOn(client, key);
}

}  // namespace godwit::node
