#pragma once

#include <stop_token>
#include <vector>

#include "client/cache.hpp"
#include "control/controller.hpp"

namespace godwit::control {

// Keeps caches current and lets controllers work, each on threads of its own. Controllers
// start once every cache has seen everything there was. Returns when `stop` is requested
// and all it started has ended.
void runWorkers(const std::vector<client::Reflector*>& caches, const std::vector<Controller*>& controllers,
                int threadsPerController, std::stop_token stop);

}  // namespace godwit::control
