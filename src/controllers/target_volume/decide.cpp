#include "controllers/target_volume/decide.hpp"

#include <algorithm>

#include "kinds/claim_templates.hpp"
#include "kinds/words.hpp"
#include "schema/read.hpp"

namespace godwit::controllers::target_volume {
namespace {

namespace words = kinds::words;

kinds::ClaimTemplates templatesOf(const object::Document& machine) {
  return kinds::readClaimTemplates(object::textAt(machine, {"metadata", "annotations", words::kClaimTemplates}))
      .value_or(kinds::ClaimTemplates());
}

json::array* volumesIn(object::Document& machine) {
  boost::system::error_code absent;
  json::value* spec = machine.if_contains("spec");
  json::value* found = spec ? spec->find_pointer("/template/spec/volumes", absent) : nullptr;
  return found ? found->if_array() : nullptr;
}

// The volume has the target from now on, and may come and go if it could before.
void pointTo(json::object& volume, const std::string& target, bool byDataVolume) {
  const bool hotpluggable = schema::view<kinds::VolumeSpec>(json::value(volume)).hotpluggable();
  volume.erase("dataVolume");
  volume.erase("persistentVolumeClaim");
  json::object reference = {{byDataVolume ? "name" : "claimName", target}};
  if (hotpluggable) reference["hotpluggable"] = true;
  volume[byDataVolume ? "dataVolume" : "persistentVolumeClaim"] = std::move(reference);
}

void begin(object::Document& machine, const kinds::ClaimTemplate& wish, const Observed& observed) {
  json::array* volumes = volumesIn(machine);
  if (!volumes) return;
  bool begun = false;
  for (json::value& volume : *volumes) {
    if (!volume.is_object() || schema::view<kinds::VolumeSpec>(volume).claim() != wish.name()) continue;
    pointTo(volume.get_object(), wish.targetVolume(), observed.ofDataVolumes.contains(wish.targetVolume()));
    begun = true;
  }
  if (begun) machine["spec"].as_object()["updateVolumesStrategy"] = kinds::update_strategy::kMigration;
}

bool uses(const kinds::VirtualMachineInstanceSpec& spec, const std::string& claim) {
  const auto volumes = spec.allVolumes();
  return std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.claim() == claim; });
}

// Whether the VM names the target, and has no guest that does not use it.
bool hasArrived(const kinds::VirtualMachineSpec& machine, const kinds::ClaimTemplate& wish, const Observed& observed) {
  const std::string target = wish.targetVolume();
  if (!uses(machine.instance.spec, target) || !observed.targets.contains(target)) return false;
  return observed.guest ? uses(*observed.guest, target) && !uses(*observed.guest, wish.name()) : !observed.onTheWay;
}

}  // namespace

std::set<std::string> targetsOf(const object::Document& machine) {
  std::set<std::string> targets;
  for (const kinds::ClaimTemplate& one : templatesOf(machine))
    if (!one.targetVolume().empty()) targets.insert(one.targetVolume());
  return targets;
}

object::Document decide(const object::Document& machine, const Observed& observed) {
  object::Document after = machine;
  kinds::ClaimTemplates templates = templatesOf(machine);
  const auto viewed = schema::view<kinds::VirtualMachine>(json::value(machine));
  if (viewed.metadata.beingDeleted()) return after;
  const kinds::VirtualMachineSpec& spec = viewed.spec;
  bool arrived = false;
  bool waiting = false;
  for (kinds::ClaimTemplate& wish : templates) {
    if (wish.targetVolume().empty()) continue;
    if (hasArrived(spec, wish, observed)) {
      wish.become(observed.targets.at(wish.targetVolume()));
      arrived = true;
    } else {
      waiting = true;
      if (observed.runs) begin(after, wish, observed);
    }
  }
  if (!arrived) return after;
  after["metadata"].as_object()["annotations"].as_object()[words::kClaimTemplates] =
      kinds::writeClaimTemplates(templates);
  if (!waiting) after["spec"].as_object().erase("updateVolumesStrategy");
  return after;
}

}  // namespace godwit::controllers::target_volume
