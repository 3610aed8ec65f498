#pragma once

#include "hypervisor/hypervisor.hpp"
#include "object/selector.hpp"

namespace godwit::node {

// The labels with those of KubeVirt's that say what guests can have for a processor, and no others of these; what has
// other names stays.
object::Labels withProcessors(object::Labels labels, const hypervisor::Processors& processors);

}  // namespace godwit::node
