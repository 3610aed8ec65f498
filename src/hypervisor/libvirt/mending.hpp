#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// libvirt's daemon puts a pivot on record after QEMU has made it. One that dies in between comes back with a record
// that is wrong - the disk is still at its source, or still being copied - and never finds out: the next copy would
// overwrite what the guest has written. So the records are compared with QEMU before a daemon is started again.
namespace godwit::hypervisor::libvirt {

// How QEMU itself has the disks of a domain.
struct BlockGraph {
  std::map<std::string, std::string> nodes;  // by device: the node that it reads and writes
  std::set<std::string> jobs;                // copies that it has not forgotten
};

struct Mending {
  std::string record;              // as it should be
  std::vector<std::string> jobs;   // that QEMU shall forget
  std::vector<std::string> nodes;  // that nobody uses any more; each before the one below it
};

// Whether a daemon's record of a domain speaks of copies, and so may be wrong.
bool speaksOfCopies(const std::string& record);

// Nothing when the record is right as it is, or cannot be read.
std::optional<Mending> mend(const std::string& record, const BlockGraph& graph);

// Mends all records in a daemon's directory; to be called while no daemon runs. A QEMU that does not answer is left to
// its daemon.
void mendRecords(const std::string& directory);

}  // namespace godwit::hypervisor::libvirt
