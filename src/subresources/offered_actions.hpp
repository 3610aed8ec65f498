#pragma once

#include "subresources/action.hpp"

namespace godwit::subresources {

// The VM as Harvester's clients read it: as it is, with links to those of the actions that could be taken now. There
// are none for whoever may not change the VM. A disk that only one node reaches hinders a migration, and no storage
// migration.
http::Response withOfferedActions(const Action& action);

}  // namespace godwit::subresources
