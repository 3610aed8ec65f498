#pragma once

#include "subresources/action.hpp"

// Harvester's actions on the volumes of a VM. Each is an edit of the VM, by which its controllers go.
namespace godwit::subresources {

// {"sourceVolume", "targetVolume"}: names of claims.
http::Response storageMigration(const Action& action);

// The VM goes on with its original volumes. Refused once the guest uses the new ones.
http::Response cancelStorageMigration(const Action& action);

}  // namespace godwit::subresources
