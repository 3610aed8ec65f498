#pragma once

#include "kinds/pod.hpp"
#include "kinds/volume_migration.hpp"

namespace godwit::node::importing {

// The DataVolume that the pod fills; without a name if it has lost it.
inline object::Key ownerOf(const kinds::Pod& pod) {
  const auto& owners = pod.metadata.ownerReferences;
  return {pod.metadata.nameSpace, owners.empty() ? "" : owners.front().name};
}

// Whether the pod takes a disk from one claim to another, as a VolumeMigration wishes.
inline bool isMove(const kinds::Pod& pod) {
  const auto& owners = pod.metadata.ownerReferences;
  return !owners.empty() && owners.front().kind == schema::kind<kinds::VolumeMigration>.name;
}

}  // namespace godwit::node::importing
