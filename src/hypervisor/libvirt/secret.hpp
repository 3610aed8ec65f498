#pragma once

#include <string>

#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"

namespace godwit::hypervisor::libvirt {

// What libvirt calls the passwords of the protocol.
const char* secretType(Protocol protocol);

// Tells the daemon a password. It stays in its memory, and nobody gets it out again but QEMU.
Result<> keepSecret(const Connection& connection, Protocol protocol, const std::string& name,
                    const std::string& password);

}  // namespace godwit::hypervisor::libvirt
