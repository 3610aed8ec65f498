#pragma once

#include <vector>

#include "kinds/migration.hpp"
#include "kinds/virtual_machine.hpp"
#include "object/document.hpp"

namespace godwit::controllers {

// In the spec of a VMI, every moved volume, and every disk that names its claim itself, gets its
// destination claim; a DataVolume becomes a claim. Whatever else is said is kept.
void renameClaims(json::value& spec, const std::vector<kinds::MigratedClaim>& moved);

std::vector<kinds::VolumeInUse> volumesInUse(const kinds::VirtualMachineInstanceSpec& spec);

// Volumes that are in use and wanted, by their names, whose claims differ: from the one that is used to the one that is
// wanted.
std::vector<kinds::MigratedVolumeStatus> changedClaims(const kinds::VirtualMachineInstanceSpec& wanted,
                                                       const std::vector<kinds::VolumeInUse>& used);

// Whether the migration may yet decide which claims are its instance's.
bool mayMoveVolumes(const kinds::VirtualMachineInstanceMigration& migration);

// Whether some volume uses a source.
bool usesSources(const std::vector<kinds::VolumeSpec>& volumes, const std::vector<kinds::MigratedClaim>& moved);

// Whether no volume uses a source any more, and some volume uses each destination.
bool usesDestinations(const std::vector<kinds::VolumeSpec>& volumes, const std::vector<kinds::MigratedClaim>& moved);

}  // namespace godwit::controllers
