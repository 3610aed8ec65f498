#pragma once

#include "kinds/pod.hpp"

namespace godwit::node::importing {

// The DataVolume that the pod fills; without a name if it has lost it.
inline object::Key ownerOf(const kinds::Pod& pod) {
  const auto& owners = pod.metadata.ownerReferences;
  return {pod.metadata.nameSpace, owners.empty() ? "" : owners.front().name};
}

}  // namespace godwit::node::importing
