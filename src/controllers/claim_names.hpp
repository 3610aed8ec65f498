#pragma once

#include <vector>

#include "kinds/migration.hpp"
#include "object/document.hpp"

namespace godwit::controllers {

// In a list of volumes as VMs and VMIs have it, every moved volume gets its destination claim; a
// DataVolume becomes a claim. Whatever else a volume says is kept.
void renameClaims(json::value& volumes, const std::vector<kinds::MigratedClaim>& moved);

// Whether no volume uses a source any more, and some volume uses each destination.
bool usesDestinations(const std::vector<kinds::VolumeSpec>& volumes, const std::vector<kinds::MigratedClaim>& moved);

}  // namespace godwit::controllers
