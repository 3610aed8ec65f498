#pragma once

#include <map>
#include <optional>

#include "controllers/world.hpp"

// The VM's spec follows volumes that have moved, so that its next start finds the data.
namespace godwit::controllers::migration {

// A VM as it is, and as it is to be.
struct Following {
  object::Document before;
  object::Document after;
};

using Claims = std::map<std::string, kinds::PersistentVolumeClaim>;

// Every moved volume gets its destination claim; templates of DataVolumes that were moved from go, as they would
// be made again; Harvester's list describes the new claims. `destinations` are those, by name.
object::Document afterMove(const object::Document& machine, const std::vector<kinds::MigratedClaim>& moved,
                           const Claims& destinations);

// What is left to do for the VM of a migration whose volumes have moved; nothing when it has followed, or there is
// none. A VM that asked for the move itself says where its volumes are to be, and is left to say so.
Result<std::optional<Following>> followingOf(const World& world,
                                             const kinds::VirtualMachineInstanceMigration& migration);

// What a VM is to become whose volumes have moved.
Result<Following> followingOf(const World& world, const object::Document& machine,
                              const std::vector<kinds::MigratedClaim>& moved);

// The change as a JSON patch.
json::array patchOf(const Following& following);

// A VM without a guest has on record where its data is, and its next start goes by that: it follows first. Says whether
// it had; if not, the VM has changed by now.
Result<bool> hasNoted(const World& world, const kinds::VirtualMachine& machine,
                      const std::vector<kinds::MigratedClaim>& moved);

// Makes it, unless somebody else has written meanwhile.
Result<> follow(const World& world, const Following& following);

}  // namespace godwit::controllers::migration
