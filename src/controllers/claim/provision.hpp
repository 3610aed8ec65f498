#pragma once

#include "base/result.hpp"
#include "kinds/node.hpp"
#include "kinds/volume.hpp"

// Volumes that Godwit makes: directories of one node or of a place that all nodes share, devices of one node, and LUNs.
namespace godwit::controllers::claim {

// Whether a free volume can serve the claim, from `node` if that is chosen.
bool fits(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim, const kinds::Node* node);

// Whether Godwit makes the volumes of the class.
bool isOurs(const kinds::StorageClass& storageClass);

// Whether the volume is set aside for exactly this claim. One that is to go stays with the claim that has it, by UID,
// and is kept for no other.
bool isKeptFor(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim);

// Whether the volume, which the claim names, is yet to be set aside for it.
bool canBeKeptFor(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim);

// The volume to make for the claim, set aside for it. Invalid when class and node do not say where, or
// the class speaks of an overhead that cannot be.
Result<kinds::PersistentVolume> renderVolume(const kinds::PersistentVolumeClaim& claim,
                                             const kinds::StorageClass& storageClass, const kinds::Node* node);

kinds::ObjectReference referenceTo(const kinds::PersistentVolumeClaim& claim);

}  // namespace godwit::controllers::claim
