#include "controllers/unfilled.hpp"

#include <fmt/format.h>

namespace godwit::controllers {

std::string unfilledBehind(const World& world, const kinds::PersistentVolumeClaim& claim) {
  for (const auto& owner : claim.metadata.ownerReferences) {
    if (owner.kind != schema::kind<kinds::DataVolume>.name) continue;
    const auto volume = world.dataVolumes.get({claim.metadata.nameSpace, owner.name});
    if (!volume) return fmt::format("DataVolume {} has not been seen", owner.name);
    if (volume->status.phase == kinds::DataVolumePhase::Succeeded) continue;
    const kinds::Condition* running = kinds::findCondition(volume->status.conditions, "Running");
    const std::string why = running && !running->message.empty() ? ": " + running->message : "";
    return fmt::format("DataVolume {} is {}{}", owner.name, schema::nameOf(volume->status.phase), why);
  }
  return "";
}

bool waitsOnlyForUser(const World& world, const kinds::PersistentVolumeClaim& claim) {
  for (const auto& owner : claim.metadata.ownerReferences) {
    if (owner.kind != schema::kind<kinds::DataVolume>.name) continue;
    const auto volume = world.dataVolumes.get({claim.metadata.nameSpace, owner.name});
    if (volume && volume->spec.source.blank && volume->status.phase == kinds::DataVolumePhase::WaitForFirstConsumer)
      return true;
  }
  return false;
}

std::string unfilledOf(const World& world, const kinds::VirtualMachineInstance& instance) {
  for (const kinds::VolumeSpec& volume : instance.spec.allVolumes()) {
    const std::string name = volume.claim();
    const auto claim = world.claims.get({instance.metadata.nameSpace, name});
    if (!claim && volume.dataVolume) return fmt::format("DataVolume {} has no claim yet", name);
    if (std::string sentence = claim ? unfilledBehind(world, *claim) : ""; !sentence.empty()) return sentence;
  }
  return "";
}

}  // namespace godwit::controllers
