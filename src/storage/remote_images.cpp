#include "storage/remote_images.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "storage/disks.hpp"
#include "storage/names.hpp"

namespace godwit::storage {
namespace {

using hypervisor::DiskSource;

// Both protocols know their ports themselves; libvirt refuses one for NFS.
constexpr std::int64_t kNoPort = 0;

}  // namespace

Result<DiskSource> locateOnNfs(const std::string& volume, const kinds::NfsVolume& nfs, const std::string& format) {
  if (!isMadeOf(nfs.server, ".-_:"))
    return fail(Code::Invalid, fmt::format("volume {} has the server '{}', which is no name", volume, nfs.server));
  const std::filesystem::path path = TRY(plainPath(volume, nfs.path));
  return DiskSource{DiskSource::Type::Network,
                    path / kImageName,
                    format,
                    {.protocol = hypervisor::Protocol::Nfs, .hosts = {{nfs.server, kNoPort}}}};
}

Result<DiskSource> locateInCeph(const std::string& volume, const kinds::RbdVolume& rbd) {
  DiskSource image{
      DiskSource::Type::Network, rbd.pool + "/" + rbd.image, "raw", {.protocol = hypervisor::Protocol::Rbd}};
  for (const std::string& name : {rbd.pool, rbd.image})
    if (!isMadeOf(name, ".-_"))
      return fail(Code::Invalid, fmt::format("volume {} is in '{}', which is no name", volume, image.path));
  for (const std::string& monitor : rbd.monitors) {
    auto host = parseHost(monitor, kNoPort);
    if (!host)
      return fail(Code::Invalid,
                  fmt::format("volume {} has the monitor '{}', which is not host:port", volume, monitor));
    image.remote.hosts.push_back(std::move(*host));
  }
  if (image.remote.hosts.empty()) return fail(Code::Invalid, fmt::format("volume {} names no monitor", volume));
  return image;
}

}  // namespace godwit::storage
