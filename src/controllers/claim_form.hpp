#pragma once

#include "kinds/volume.hpp"

namespace godwit::controllers {

// What a claim for a disk of so many bytes leaves unsaid follows from its class: how it may be mounted, its mode where
// the class has only one, and what a filesystem takes besides.
void fillIn(kinds::PersistentVolumeClaimSpec& spec, const kinds::StorageClass* storageClass);

}  // namespace godwit::controllers
