#include "controllers/claim_names.hpp"

#include <algorithm>

#include "schema/read.hpp"

namespace godwit::controllers {
namespace {

json::value* arrayAt(json::value& spec, std::string_view pointer) {
  boost::system::error_code absent;
  json::value* found = spec.find_pointer(pointer, absent);
  return found && found->is_array() ? found : nullptr;
}

const kinds::MigratedClaim* moveOf(const std::string& claim, const std::vector<kinds::MigratedClaim>& moved) {
  const auto move = std::find_if(moved.begin(), moved.end(), [&](const auto& m) { return m.sourceClaim == claim; });
  return move == moved.end() ? nullptr : &*move;
}

bool uses(const std::vector<kinds::VolumeSpec>& volumes, const std::string& claim) {
  return std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.claim() == claim; });
}

}  // namespace

void renameClaims(json::value& spec, const std::vector<kinds::MigratedClaim>& moved) {
  if (json::value* volumes = arrayAt(spec, "/volumes"))
    for (json::value& volume : volumes->as_array()) {
      const auto before = schema::view<kinds::VolumeSpec>(volume);
      const auto* move = moveOf(before.claim(), moved);
      if (!move) continue;
      json::object& entry = volume.as_object();
      entry.erase("dataVolume");
      json::value& reference = entry["persistentVolumeClaim"];
      if (!reference.is_object()) reference = json::object();
      reference.as_object()["claimName"] = move->destinationClaim;
      if (before.hotpluggable()) reference.as_object()["hotpluggable"] = true;
    }
  if (json::value* disks = arrayAt(spec, "/domain/devices/disks"))
    for (json::value& disk : disks->as_array())
      if (const auto* move = moveOf(schema::view<kinds::DiskSpec>(disk).claim(), moved))
        disk.as_object()["source"].as_object()["name"] = move->destinationClaim;
}

std::vector<kinds::VolumeInUse> volumesInUse(const kinds::VirtualMachineInstanceSpec& spec) {
  std::vector<kinds::VolumeInUse> used;
  for (const kinds::VolumeSpec& volume : spec.allVolumes())
    if (std::string claim = volume.claim(); !claim.empty()) used.push_back({volume.name, std::move(claim)});
  return used;
}

std::vector<kinds::MigratedVolumeStatus> changedClaims(const kinds::VirtualMachineInstanceSpec& wanted,
                                                       const std::vector<kinds::VolumeInUse>& used) {
  std::vector<kinds::MigratedVolumeStatus> changes;
  for (const kinds::VolumeInUse& volume : volumesInUse(wanted)) {
    const auto same = std::find_if(used.begin(), used.end(), [&](const auto& one) { return one.name == volume.name; });
    if (same == used.end() || same->claimName == volume.claimName) continue;
    changes.push_back({volume.name, {same->claimName}, {volume.claimName}});
  }
  return changes;
}

bool mayMoveVolumes(const kinds::VirtualMachineInstanceMigration& migration) {
  const kinds::MigrationPhase phase = migration.status.phase;
  return !migration.spec.migratedVolumes.empty() && phase > kinds::MigrationPhase::Pending && !kinds::isFinal(phase);
}

bool usesSources(const std::vector<kinds::VolumeSpec>& volumes, const std::vector<kinds::MigratedClaim>& moved) {
  return std::any_of(moved.begin(), moved.end(), [&](const auto& m) { return uses(volumes, m.sourceClaim); });
}

bool usesDestinations(const std::vector<kinds::VolumeSpec>& volumes, const std::vector<kinds::MigratedClaim>& moved) {
  return !usesSources(volumes, moved) &&
         std::all_of(moved.begin(), moved.end(), [&](const auto& m) { return uses(volumes, m.destinationClaim); });
}

}  // namespace godwit::controllers
