#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "kinds/volume.hpp"

// What a filesystem of a volume's own takes of it, so that the image in it is smaller than the volume.
namespace godwit::kinds {

// Of a class, and of the volumes that are made for it: a fraction from 0 to below 1, such as "0.06".
inline constexpr std::string_view kOverheadAnnotation = "godwit.io/filesystem-overhead";

// In thousandths; 0 where nothing is said. Invalid names the class whose words are no such fraction.
Result<std::int64_t> overheadOf(const StorageClass& storageClass);

// The largest image, in whole mebibytes, for which there is room on a volume of that many bytes.
std::int64_t withoutOverhead(std::int64_t bytes, std::int64_t overhead);
// The smallest volume with room for an image of that many bytes.
std::int64_t withOverhead(std::int64_t bytes, std::int64_t overhead);

// Bytes of the volume's disk when it is as large as the volume allows. Of mode Block that is all of it.
std::int64_t roomOn(const PersistentVolume& volume);
// Bytes that the volume must have for that room.
std::int64_t capacityFor(const PersistentVolume& volume, std::int64_t room);
// The room on the volume that an unbound claim will get.
std::int64_t roomAskedFor(const PersistentVolumeClaim& claim, const StorageClass* storageClass);

}  // namespace godwit::kinds
