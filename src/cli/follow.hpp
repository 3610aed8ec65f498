#pragma once

#include <functional>
#include <stop_token>

#include "base/clock.hpp"
#include "client/cache.hpp"

namespace godwit::cli {

enum class Following { Done, TimeIsUp, Interrupted };

// Keeps a cache up to date and calls `look` after each change, until that says that there is nothing more to wait for.
// A server that does not answer is asked again.
Following follow(client::Reflector& cache, Duration patience, const std::function<bool()>& look, std::stop_token stop);

}  // namespace godwit::cli
