#pragma once

#include "apiserver/endpoint.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "client/client.hpp"

namespace godwit::bin {

// virtualmachines/migratablenodes: the nodes that would take the guest if it were migrated now, and for each of the
// others everything that speaks against it. Asks the filters of the scheduler about the pod that a migration would
// make.
apiserver::Endpoint migratableNodesEndpoint(const client::Client& api, const Clock& clock, Random& random);

}  // namespace godwit::bin
