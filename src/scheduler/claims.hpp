#pragma once

#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

using Volume = std::shared_ptr<const kinds::PersistentVolume>;

// A claim whose volume is named, or kept for it. `volume` is null when the named one does not exist.
ClaimView viewWithVolume(const kinds::PersistentVolumeClaim& claim, const kinds::PersistentVolume* volume);

// A claim without a volume. `storageClass` is null when there is none.
ClaimView viewWithoutVolume(const kinds::PersistentVolumeClaim& claim, const kinds::StorageClass* storageClass,
                            std::span<const Volume> volumes);

}  // namespace godwit::scheduler
