#pragma once

#include <string>

#include "kinds/migration.hpp"

namespace godwit::controllers {

// A migration that a controller asks for. It is held on to from the beginning: one that somebody deletes before anybody
// has looked at it would be gone without a trace, and be made again.
kinds::VirtualMachineInstanceMigration newMigration(const std::string& nameSpace, const std::string& name,
                                                    const std::string& instance);

}  // namespace godwit::controllers
