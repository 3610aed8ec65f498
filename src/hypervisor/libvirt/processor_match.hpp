#pragma once

#include <string>
#include <vector>

#include "hypervisor/libvirt/handle.hpp"

namespace godwit::hypervisor::libvirt {

// What a domain's document says of its processor, and of what it is emulated by: all that another node is asked about.
Result<std::string> processorIn(const std::string& domainXml);

Result<std::string> processorOf(virDomain& domain);

// The features of such a processor that the node behind the connection cannot give.
Result<std::vector<std::string>> lackingFeatures(virConnect& connection, const std::string& processor);

// The features that libvirt's complaint lists; the whole complaint where it lists none.
std::vector<std::string> featuresIn(const std::string& complaint);

}  // namespace godwit::hypervisor::libvirt
