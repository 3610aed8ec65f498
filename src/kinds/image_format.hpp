#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "kinds/volume.hpp"

// How the image in a directory, here or on NFS, keeps its bytes.
namespace godwit::kinds {

inline constexpr std::string_view kRaw = "raw";
inline constexpr std::string_view kQcow2 = "qcow2";

inline constexpr std::string_view kFormatParameter = "format";             // of a class whose volumes are directories
inline constexpr std::string_view kFormatAnnotation = "godwit.io/format";  // of a volume that is a directory

// What the images of a class are; raw where nothing is said. Invalid names the class that asks for what cannot be.
Result<std::string> formatOf(const StorageClass& storageClass);

// What the image of a volume is; raw where nothing is said, and where a class has made one of mode Block, which has its
// bytes as they are. Invalid names the volume that says of itself what cannot be.
Result<std::string> formatOf(const PersistentVolume& volume);

}  // namespace godwit::kinds
