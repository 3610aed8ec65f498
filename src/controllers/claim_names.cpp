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

std::vector<kinds::MigratedVolumeStatus> changedClaims(const kinds::VirtualMachineInstanceSpec& wanted,
                                                       const kinds::VirtualMachineInstanceSpec& used) {
  std::vector<kinds::MigratedVolumeStatus> changes;
  const auto now = used.allVolumes();
  for (const kinds::VolumeSpec& volume : wanted.allVolumes()) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const auto& one) { return one.name == volume.name; });
    if (same == now.end() || volume.claim().empty() || same->claim().empty()) continue;
    if (same->claim() != volume.claim()) changes.push_back({volume.name, {same->claim()}, {volume.claim()}});
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
