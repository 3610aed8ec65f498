#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hypervisor/hypervisor.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "storage/disks.hpp"

// Disks that come to a running guest, and go.
namespace godwit::node::launcher {

// A disk that the instance names, and what is known of the volume behind it.
struct Plug {
  storage::WantedDisk disk;
  std::optional<hypervisor::DiskSource> source = {};  // nothing: it cannot be reached yet
  std::string obstacle = {};                          // why
  kinds::PersistentVolume volume = {};                // behind the source
  std::string password = {};                          // of the source's login
  kinds::ClaimFacts claim = {};
  std::int64_t bytes = 0;
};

struct Plan {
  std::vector<kinds::VolumeStatus> statuses;  // to be on record before anything is done
  std::vector<Plug> attach;
  std::vector<std::string> detach;  // targets

  bool settled() const;  // nothing is awaited
};

// Whether what is on record of the disk still tells all: then nobody need ask again.
bool isSettled(const storage::WantedDisk& disk, const std::vector<kinds::VolumeStatus>& recorded,
               const std::vector<hypervisor::DiskState>& attached);

// Only what is on record as a disk that came later is ever taken away.
Plan plan(const std::vector<Plug>& wanted, const std::vector<hypervisor::DiskState>& attached,
          const std::vector<kinds::VolumeStatus>& recorded);

}  // namespace godwit::node::launcher
