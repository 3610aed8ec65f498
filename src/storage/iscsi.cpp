#include "storage/iscsi.hpp"

#include <string_view>

#include <fmt/format.h>

#include "storage/names.hpp"

namespace godwit::storage {
namespace {

// As Kubernetes has it.
constexpr std::int64_t kHighestLun = 255;
constexpr std::int64_t kUsualPort = 3260;

// People write it with the slash that comes before the LUN, too.
std::string_view withoutSlash(std::string_view iqn) { return iqn.ends_with('/') ? iqn.substr(0, iqn.size() - 1) : iqn; }

}  // namespace

Result<hypervisor::DiskSource> locateLun(const std::string& volume, const kinds::IscsiVolume& iscsi) {
  auto portal = parseHost(iscsi.targetPortal, kUsualPort);
  if (!portal)
    return fail(Code::Invalid,
                fmt::format("volume {} has the portal '{}', which is not host:port", volume, iscsi.targetPortal));
  const std::string_view iqn = withoutSlash(iscsi.iqn);
  if (!isMadeOf(iqn, ".-_:"))
    return fail(Code::Invalid, fmt::format("volume {} has the IQN '{}', which is no name", volume, iscsi.iqn));
  if (iscsi.lun < 0 || iscsi.lun > kHighestLun)
    return fail(Code::Invalid,
                fmt::format("volume {} has the LUN {}, which is not from 0 to {}", volume, iscsi.lun, kHighestLun));
  return hypervisor::DiskSource{
      hypervisor::DiskSource::Type::Network,
      fmt::format("{}/{}", iqn, iscsi.lun),
      "raw",
      {.protocol = hypervisor::Protocol::Iscsi, .hosts = {std::move(*portal)}, .initiator = iscsi.initiatorName}};
}

}  // namespace godwit::storage
