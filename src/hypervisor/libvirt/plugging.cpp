#include "hypervisor/libvirt/plugging.hpp"

#include <fmt/format.h>

#include "hypervisor/libvirt/domain_xml.hpp"
#include "hypervisor/libvirt/inspection.hpp"

namespace godwit::hypervisor::libvirt {

Result<> attach(virDomain& domain, const Disk& disk) {
  const auto attached = findDisk(domain, disk.target);
  if (attached && attached->source.sameBytes(disk.source)) return {};
  if (attached)
    return fail(Code::Conflict, fmt::format("{} has another disk {}", virDomainGetName(&domain), disk.target));
  if (virDomainAttachDeviceFlags(&domain, diskXml(disk).c_str(), VIR_DOMAIN_AFFECT_LIVE) < 0)
    return fail(within(disk.target, lastError()));
  return {};
}

Result<> detach(virDomain& domain, const std::string& disk) {
  const auto attached = findDisk(domain, disk);
  if (!attached && attached.error().code == Code::NotFound) return {};
  if (TRY(attached).mirror) return fail(Code::Conflict, fmt::format("{} is being copied", disk));
  const std::string device = TRY(liveDiskXml(domain, disk));
  if (virDomainDetachDeviceFlags(&domain, device.c_str(), VIR_DOMAIN_AFFECT_LIVE) == 0) return {};
  // The guest has been asked before and has not let go yet.
  if (const Error error = lastError(); error.message.find("process of unplug") == std::string::npos)
    return fail(within(disk, error));
  return {};
}

}  // namespace godwit::hypervisor::libvirt
