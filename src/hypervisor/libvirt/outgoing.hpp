#pragma once

#include <optional>

#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"

// A migration away from here that is under way, whoever began it.
namespace godwit::hypervisor::libvirt {

// Nothing when there is none.
std::optional<MigrationProgress> outgoingProgress(virDomain& domain);

// As the Hypervisor's functions of like name say.
Result<> tuneCopies(virDomain& domain, const Tuning& tuning);
Result<> holdGuest(virDomain& domain);
Result<> startPostCopyOf(virDomain& domain);

// libvirt counts bandwidth in MiB.
unsigned long long mebibytesOf(std::int64_t bytesPerSecond);

// Of one disk that is copied or mirrored; nothing when it is not.
std::optional<DiskProgress> copyProgress(virDomain& domain, const std::string& disk);

}  // namespace godwit::hypervisor::libvirt
