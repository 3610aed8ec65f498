#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "kinds/volume.hpp"
#include "object/document.hpp"

// How claims and their volumes grow. A volume's capacity is what it is to have; what its bytes really have is on
// record beside it from the moment the two differ.
namespace godwit::kinds {

inline constexpr std::string_view kSizeAnnotation = "godwit.io/size";  // of a volume: a quantity

// Bytes that the volume's disk really has, as far as that is on record; else all that there is room for.
std::int64_t sizeOf(const PersistentVolume& volume);

// Whether the volume's disk has yet to become as large as its capacity says.
bool isGrowing(const PersistentVolume& volume);

// The volume with its real size on record.
PersistentVolume withSize(PersistentVolume volume, std::int64_t bytes);

// Whether its bytes are made by a node of Godwit's.
bool isOurs(const PersistentVolume& volume);

// Whether Godwit made the volume for this class, and the class lets its claims grow.
bool mayGrow(const PersistentVolume& volume, const StorageClass& storageClass);

// What speaks against a claim's becoming `after`: its spec stays, but for the volume it gets once and,
// when it is bound, for the size it asks for.
std::vector<FieldProblem> checkClaimUpdate(const object::Document& before, const object::Document& after);

}  // namespace godwit::kinds
