#pragma once

#include <string>

#include "kinds/migration.hpp"
#include "kinds/pod.hpp"

// The two pods of a migration: the one that the guest moves into, and the mover's.
namespace godwit::controllers::migration {

std::string targetName(const kinds::VirtualMachineInstanceMigration& migration);
std::string moverName(const kinds::VirtualMachineInstanceMigration& migration);

// Like the pod the instance started in, with the destination claims; kept away from the
// instance's other pods, or bound to its node when the volumes move in place.
kinds::Pod renderTarget(const kinds::VirtualMachineInstanceMigration& migration,
                        const kinds::VirtualMachineInstance& instance, kinds::Mechanism mechanism);

// Bound to the source's node; its process moves the guest, and its end is the verdict.
kinds::Pod renderMover(const kinds::VirtualMachineInstanceMigration& migration,
                       const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::controllers::migration
