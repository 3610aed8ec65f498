#pragma once

#include <chrono>
#include <string>

#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// Whether the daemon behind a unix socket answers at all: Unavailable when nobody listens there,
// Timeout when somebody does and says nothing. libvirt's own way to connect waits for ever on a
// daemon that has been stopped, so it is asked only after this.
Result<> ping(const std::string& socketPath, std::chrono::milliseconds patience);

// The socket a connection URI names in its `socket` parameter; empty when it names none.
std::string socketIn(const std::string& uri);

}  // namespace godwit::hypervisor::libvirt
