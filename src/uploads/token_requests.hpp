#pragma once

#include "apiserver/endpoint.hpp"
#include "base/clock.hpp"
#include "uploads/targets.hpp"
#include "uploads/tokens.hpp"

namespace godwit::uploads {

// POST uploadtokenrequests, with the claim in spec.pvcName: answers with a token in status.token, and keeps nothing.
// The arguments must outlive the endpoint.
apiserver::Endpoint tokenRequestEndpoint(const Targets& targets, const Tokens& tokens, const Clock& clock);

}  // namespace godwit::uploads
