#include "node/disk_of_volume.hpp"

#include <fmt/format.h>

#include "kinds/core.hpp"
#include "storage/credentials.hpp"
#include "storage/disks.hpp"

namespace godwit::node {

Result<DiskOfVolume> diskOf(const client::Client& client, const kinds::PersistentVolume& volume) {
  DiskOfVolume disk;
  disk.source = TRY(storage::locate(volume));
  const auto key = TRY(storage::secretOf(volume));
  if (!key) return disk;
  const auto secret = TRY(client.find<kinds::Secret>(*key));
  if (!secret)
    return fail(Code::Invalid, fmt::format("volume {} logs in by Secret {}, which does not exist", volume.metadata.name,
                                           object::show(*key)));
  auto credentials = TRY(storage::credentialsIn(*secret, volume));
  disk.source.remote.login = std::move(credentials.login);
  disk.password = std::move(credentials.password);
  return disk;
}

}  // namespace godwit::node
