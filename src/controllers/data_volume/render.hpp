#pragma once

#include "kinds/data_volume.hpp"
#include "kinds/pod.hpp"
#include "kinds/volume.hpp"

// What a DataVolume has made for it.
namespace godwit::controllers::data_volume {

// The claim it asks for. What the `storage` form leaves out follows from the class, if there is one, and from the
// claim that is copied, if there is one.
kinds::PersistentVolumeClaim renderClaim(const kinds::DataVolume& volume, const kinds::StorageClass* storageClass,
                                         const kinds::PersistentVolumeClaim* original);

// The pod of the present attempt has a name of its own: no attempt takes another's end for its own, and none fills
// one claim while its successor is taken for filled.
std::string importerName(const kinds::DataVolume& volume, const kinds::PersistentVolumeClaim& claim);
kinds::Pod renderImporter(const kinds::DataVolume& volume, const kinds::PersistentVolumeClaim& claim);

}  // namespace godwit::controllers::data_volume
