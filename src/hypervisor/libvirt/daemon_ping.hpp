#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// Whether the daemon behind a unix socket answers at all: Unavailable when nobody listens there,
// Timeout when somebody does and says nothing. libvirt's own way to connect waits for ever on a
// daemon that has been stopped, so it is asked only after this.
Result<> ping(const std::string& socketPath, std::chrono::milliseconds patience);

// The same over the network, for a daemon that wants to be spoken to in TLS: whether it takes a connection. A host that
// has vanished makes libvirt wait for minutes.
Result<> knock(const std::string& host, const std::string& port, std::chrono::milliseconds patience);

// The host, or address, and the port that a connection URI names; nothing unless it names both.
std::optional<std::pair<std::string, std::string>> hostIn(const std::string& uri);

// The socket a connection URI names in its `socket` parameter; empty when it names none.
std::string socketIn(const std::string& uri);

// The same, or where a daemon of this machine listens by default.
std::string socketOf(const std::string& uri);

// Where that daemon keeps the numbers of its QEMUs: a user's has its own place.
std::string pidDirectoryOf(const std::string& uri);

}  // namespace godwit::hypervisor::libvirt
