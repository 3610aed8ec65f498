#pragma once

#include <optional>

#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"

// A migration away from here that is under way, whoever began it.
namespace godwit::hypervisor::libvirt {

// Nothing when there is none.
std::optional<MigrationProgress> outgoingProgress(virDomain& domain);

// Of one disk that is copied or mirrored; nothing when it is not.
std::optional<DiskProgress> copyProgress(virDomain& domain, const std::string& disk);

}  // namespace godwit::hypervisor::libvirt
