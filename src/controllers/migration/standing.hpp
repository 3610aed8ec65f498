#pragma once

#include "controllers/migration/turns.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::migration {

// Whether it is under way, and between which nodes, as the objects say. The instance may be missing.
Turns::Standing standingOf(const kinds::VirtualMachineInstanceMigration& migration,
                           const kinds::VirtualMachineInstance* instance);

// Of all migrations that are under way, or could be.
std::vector<Turns::Standing> standings(const World& world);

}  // namespace godwit::controllers::migration
