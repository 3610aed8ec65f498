#pragma once

#include <sys/un.h>

#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// Invalid when the path is too long for one.
Result<sockaddr_un> addressOf(const std::string& path);

// Connected to whoever listens there; `flags` are the socket's. Timeout when nobody has taken a connection for long.
Result<Descriptor> connectTo(const std::string& path, int flags = 0);

}  // namespace godwit::hypervisor::libvirt
