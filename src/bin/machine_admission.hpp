#pragma once

#include "apiserver/server.hpp"
#include "client/client.hpp"

namespace godwit::bin {

// Lets VMs ask for the move of a volume only where it can be made. By `itself` the server asks about other objects.
void admitMachines(apiserver::ApiServer& api, const client::Client& itself);

}  // namespace godwit::bin
