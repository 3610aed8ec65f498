#pragma once

#include "apiserver/server.hpp"

namespace godwit::bin {

// Lets claims change as Kubernetes does: nothing but their size, and that only where the class of a volume which was
// made for the claim lets it grow.
void admitClaims(apiserver::ApiServer& api);

}  // namespace godwit::bin
