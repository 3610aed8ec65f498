#pragma once

#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"

// Questions to the daemon about one domain.
namespace godwit::hypervisor::libvirt {

// NotFound when it ended meanwhile.
Result<DomainState> inspect(virDomain& domain);
Result<RunState> runStateOf(virDomain& domain);
// Gone when a guest has gone on there and has ended since, NotFound when none has.
Error whatBecameOf(const Connection& connection, const std::string& domain);
// NotFound when the domain has no such disk.
Result<DiskState> findDisk(virDomain& domain, const std::string& disk);
// Bytes as the guest sees them.
Result<std::int64_t> sizeOfDisk(virDomain& domain, const std::string& disk);
// The <disk> of that target in the domain's live document.
Result<std::string> liveDiskXml(virDomain& domain, const std::string& disk);
// libvirt's name for that disk.
Result<std::string> aliasOf(virDomain& domain, const std::string& disk);
bool isCopying(const DomainState& state);
// Whether a job holds the domain, such as a migration that has not ended on this side.
bool isBusy(virDomain& domain);

// How a domain stands, as the daemon has it in its own book: it is not QEMU that is asked.
enum class Standing { Running, HandedOver, Gone, Otherwise };
Result<Standing> standingOf(const Connection& connection, const std::string& domain);

}  // namespace godwit::hypervisor::libvirt
