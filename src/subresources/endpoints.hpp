#pragma once

#include <vector>

#include "apiserver/endpoint.hpp"
#include "apiserver/objects.hpp"

namespace godwit::subresources {

// What virtctl calls, as PUT below subresources.kubevirt.io: a wish goes on record on the object, and is
// answered with 202. Both arguments must outlive the endpoints.
std::vector<apiserver::Endpoint> endpoints(apiserver::Objects& objects, const apiserver::Catalog& catalog);

}  // namespace godwit::subresources
