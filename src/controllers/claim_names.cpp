#include "controllers/claim_names.hpp"

#include <algorithm>

#include "schema/read.hpp"

namespace godwit::controllers {

void renameClaims(json::value& volumes, const std::vector<kinds::MigratedClaim>& moved) {
  if (!volumes.is_array()) return;
  for (json::value& volume : volumes.as_array()) {
    const std::string claim = schema::view<kinds::VolumeSpec>(volume).claim();
    const auto move = std::find_if(moved.begin(), moved.end(), [&](const auto& m) { return m.sourceClaim == claim; });
    if (move == moved.end()) continue;
    json::object& entry = volume.as_object();
    entry.erase("dataVolume");
    json::value& reference = entry["persistentVolumeClaim"];
    if (!reference.is_object()) reference = json::object();
    reference.as_object()["claimName"] = move->destinationClaim;
  }
}

bool usesDestinations(const std::vector<kinds::VolumeSpec>& volumes, const std::vector<kinds::MigratedClaim>& moved) {
  const auto uses = [&](const std::string& claim) {
    return std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.claim() == claim; });
  };
  return std::all_of(moved.begin(), moved.end(),
                     [&](const auto& m) { return uses(m.destinationClaim) && !uses(m.sourceClaim); });
}

}  // namespace godwit::controllers
