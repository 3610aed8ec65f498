#pragma once

#include "apiserver/endpoint.hpp"
#include "apiserver/objects.hpp"

namespace godwit::apiserver {

// POST .../NAME/binding with {"target":{"name":NODE}}: sets spec.nodeName once and for all, and the
// condition PodScheduled. Both arguments must outlive the endpoint.
Endpoint bindingEndpoint(Objects& objects, const Resource& resource, const Clock& clock);

}  // namespace godwit::apiserver
