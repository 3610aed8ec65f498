#pragma once

#include <string>

#include "client/client.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/volume.hpp"

namespace godwit::node {

// A volume as a disk, with who logs in to it; the password is for the hypervisor alone.
struct DiskOfVolume {
  hypervisor::DiskSource source;
  std::string password;  // of the source's login
};

// Invalid names the volume that cannot be a disk, and the Secret that it lacks.
Result<DiskOfVolume> diskOf(const client::Client& client, const kinds::PersistentVolume& volume);

}  // namespace godwit::node
