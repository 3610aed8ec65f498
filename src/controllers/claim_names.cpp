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

}  // namespace

void renameClaims(json::value& spec, const std::vector<kinds::MigratedClaim>& moved) {
  if (json::value* volumes = arrayAt(spec, "/volumes"))
    for (json::value& volume : volumes->as_array()) {
      const auto* move = moveOf(schema::view<kinds::VolumeSpec>(volume).claim(), moved);
      if (!move) continue;
      json::object& entry = volume.as_object();
      entry.erase("dataVolume");
      json::value& reference = entry["persistentVolumeClaim"];
      if (!reference.is_object()) reference = json::object();
      reference.as_object()["claimName"] = move->destinationClaim;
    }
  if (json::value* disks = arrayAt(spec, "/domain/devices/disks"))
    for (json::value& disk : disks->as_array())
      if (const auto* move = moveOf(schema::view<kinds::DiskSpec>(disk).claim(), moved))
        disk.as_object()["source"].as_object()["name"] = move->destinationClaim;
}

bool usesDestinations(const std::vector<kinds::VolumeSpec>& volumes, const std::vector<kinds::MigratedClaim>& moved) {
  const auto uses = [&](const std::string& claim) {
    return std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.claim() == claim; });
  };
  return std::all_of(moved.begin(), moved.end(),
                     [&](const auto& m) { return uses(m.destinationClaim) && !uses(m.sourceClaim); });
}

}  // namespace godwit::controllers
