#include "controllers/virtual_machine/describe.hpp"

#include <algorithm>
#include <set>

#include "controllers/claim_names.hpp"
#include "controllers/volume_update/decide.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::virtual_machine {
namespace {

using kinds::Condition;
using kinds::VirtualMachineStatus;

// What a machine says of itself, whatever its instance says under that name.
const std::set<std::string_view> kOwnConditions = {"Ready", "Failure", "RestartRequired",
                                                   kinds::words::kManualRecoveryRequired};

// KubeVirt's.
constexpr std::string_view kEndedOnTheWay = "VMI was removed or was final during the volume migration";

// The spec without what may differ from the template's. What a volume is made of is told by its claim, or its image.
kinds::VirtualMachineInstanceSpec lasting(kinds::VirtualMachineInstanceSpec spec, bool claimsMatter) {
  std::set<std::string> passing;
  for (const kinds::VolumeSpec& volume : spec.volumes)
    if (volume.hotpluggable()) passing.insert(volume.name);
  std::erase_if(spec.volumes, [&](const auto& volume) { return passing.contains(volume.name); });
  std::erase_if(spec.domain.devices.disks, [&](const auto& disk) { return passing.contains(disk.name); });
  for (kinds::VolumeSpec& volume : spec.volumes) {
    const std::string claim = claimsMatter ? volume.claim() : "";
    volume = {volume.name, kinds::ClaimReference{claim}, std::nullopt, volume.containerDisk};
  }
  for (kinds::DiskSpec& disk : spec.domain.devices.disks)
    if (disk.source && !claimsMatter) disk.source->name.clear();
  spec.nodeSelector.clear();
  spec.affinity.reset();
  spec.tolerations.clear();
  spec.startStrategy.clear();
  spec.terminationGracePeriodSeconds.reset();
  return spec;
}

Condition readiness(const kinds::VirtualMachineInstance* instance) {
  const Condition* ready = instance ? kinds::findCondition(instance->status.conditions, "Ready") : nullptr;
  if (ready) return *ready;
  Condition unready{.type = "Ready", .status = "False", .reason = "", .message = "", .lastTransitionTime = {}};
  unready.reason = instance ? "VMINotReady" : "VMINotExists";
  unready.message = instance ? "VMI has not said how it is" : "VMI does not exist";
  return unready;
}

// Stays until the machine runs, or is no longer to run: the instance that failed is gone long before.
void describeFailure(VirtualMachineStatus& status, const VirtualMachineStatus& before, const Condition& ready,
                     Timestamp now) {
  if (!status.startFailure || ready.status == "True") {
    kinds::dropCondition(status.conditions, "Failure");
  } else if (status.startFailure != before.startFailure) {
    kinds::setCondition(status.conditions,
                        {.type = "Failure",
                         .status = "True",
                         .reason = ready.reason,
                         .message = ready.message,
                         .lastTransitionTime = {}},
                        now);
  }
}

void copyFromInstance(VirtualMachineStatus& status, const kinds::VirtualMachineInstance* instance, Timestamp now) {
  const std::vector<Condition> said = instance ? instance->status.conditions : std::vector<Condition>{};
  std::erase_if(status.conditions, [&](const Condition& condition) {
    return !kOwnConditions.contains(condition.type) && !kinds::findCondition(said, condition.type);
  });
  for (const Condition& condition : said)
    if (!kOwnConditions.contains(condition.type)) kinds::setCondition(status.conditions, condition, now);
}

// True as long as there is a message.
void describeWant(VirtualMachineStatus& status, std::string_view type, std::string_view reason,
                  const std::string& message, Timestamp now) {
  if (message.empty()) return kinds::dropCondition(status.conditions, type);
  kinds::setCondition(status.conditions,
                      {.type = std::string(type),
                       .status = "True",
                       .reason = std::string(reason),
                       .message = message,
                       .lastTransitionTime = {}},
                      now);
}

}  // namespace

bool needsRestart(const kinds::VirtualMachineSpec& machine, const kinds::VirtualMachineInstanceSpec& instance) {
  const bool claimsMatter = machine.updateVolumesStrategy != kinds::update_strategy::kMigration;
  return lasting(machine.instance.spec, claimsMatter) != lasting(instance, claimsMatter);
}

std::string restartReason(const kinds::VirtualMachineSpec& machine, const kinds::VirtualMachineInstance& instance) {
  if (needsRestart(machine, instance.spec)) return "a non-live-updatable field was changed in the template spec";
  const Condition* volumes = kinds::findCondition(instance.status.conditions, kinds::words::kVolumesChange);
  return volumes && volumes->reason == volume_update::kRestartRequired ? volumes->message : "";
}

std::vector<kinds::VolumeInUse> volumesAfter(const kinds::VirtualMachine& machine,
                                             const kinds::VirtualMachineInstance* instance, bool off) {
  if (instance) return volumesInUse(instance->spec);
  return off && !volumeUpdateAfter(machine, nullptr) ? std::vector<kinds::VolumeInUse>()
                                                     : machine.status.godwit.volumes;
}

std::optional<kinds::VolumeUpdateState> volumeUpdateAfter(const kinds::VirtualMachine& machine,
                                                          const kinds::VirtualMachineInstance* instance) {
  if (machine.spec.updateVolumesStrategy != kinds::update_strategy::kMigration) return std::nullopt;
  auto changes = changedClaims(machine.spec.instance.spec,
                               instance ? volumesInUse(instance->spec) : machine.status.godwit.volumes);
  if (changes.empty()) return std::nullopt;
  return kinds::VolumeUpdateState{kinds::VolumesOnTheirWay{std::move(changes)}};
}

bool differInPlacement(const kinds::VirtualMachineInstanceSpec& left, const kinds::VirtualMachineInstanceSpec& right) {
  return left.nodeSelector != right.nodeSelector || left.affinity != right.affinity ||
         left.tolerations != right.tolerations;
}

void describeConditions(VirtualMachineStatus& status, const VirtualMachineStatus& before,
                        const kinds::VirtualMachineInstance* instance, const Wants& wants, Timestamp now) {
  const Condition ready = readiness(instance);
  status.ready = ready.status == "True";
  kinds::setCondition(status.conditions, ready, now);
  describeFailure(status, before, ready, now);
  copyFromInstance(status, instance, now);
  describeWant(status, "RestartRequired", "", wants.restart, now);
  describeWant(status, kinds::words::kManualRecoveryRequired, kEndedOnTheWay, wants.recovery, now);
}

}  // namespace godwit::controllers::virtual_machine
