#pragma once

#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/domain_xml.hpp"
#include "hypervisor/libvirt/handle.hpp"

namespace godwit::hypervisor::libvirt {

// As the daemon says of domains of that machine.
Result<Processors> processorsOf(const Connection& connection, const Machine& machine);

// What domain capabilities say; the features of the host's model itself are not in them.
Result<Processors> readProcessors(const std::string& capabilities);

// The host's model of domain capabilities as a <cpu> of a domain; Unavailable when there is none.
Result<std::string> hostProcessorXml(const std::string& capabilities);

// What a <cpu> of a domain requires.
std::set<std::string> requiredFeatures(const std::string& cpu);

}  // namespace godwit::hypervisor::libvirt
