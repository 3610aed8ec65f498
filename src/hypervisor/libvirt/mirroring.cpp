#include "hypervisor/libvirt/mirroring.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/log.hpp"
#include "hypervisor/image_size.hpp"
#include "hypervisor/libvirt/detour.hpp"
#include "hypervisor/libvirt/domain_xml.hpp"
#include "hypervisor/libvirt/inspection.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

constexpr std::int64_t kSectorBytes = 512;

// Not with synchronous writes: QEMU 7.2 writes to memory that it has freed when such a copy is cancelled, or fails,
// while the guest writes.
constexpr unsigned kCopyFlags = VIR_DOMAIN_BLOCK_COPY_REUSE_EXT | VIR_DOMAIN_BLOCK_COPY_TRANSIENT_JOB;

// As the guest has it.
Result<std::int64_t> sizeOfIdleDisk(virDomain& domain, const std::string& disk) {
  if (TRY(findDisk(domain, disk)).mirror) return fail(Code::Conflict, fmt::format("{} is already being copied", disk));
  return sizeOfDisk(domain, disk);
}

// A mirror begins as soon as it is made, and what it copies before it is led elsewhere goes the straight way: at this
// speed, as much as it takes at once, and no more.
constexpr unsigned long long kHardlyAny = 1;
constexpr unsigned long long kTakenAtOnce = 1 << 20;

virTypedParameter number(const char* name, unsigned long long value) {
  virTypedParameter parameter{};
  std::strncpy(parameter.field, name, sizeof parameter.field - 1);
  parameter.type = VIR_TYPED_PARAM_ULLONG;
  parameter.value.ul = value;
  return parameter;
}

}  // namespace

Result<> beginMirror(virDomain& domain, const std::string& disk, const DiskSource& destination,
                     std::int64_t bytesPerSecond, const std::string& through) {
  const std::int64_t size = TRY(sizeOfIdleDisk(domain, disk));
  // QEMU gives a copy between different sizes up without a word.
  const auto room = TRY(imageSize(destination));
  if (room && *room != size)
    return fail(Code::Invalid, fmt::format("{} holds {} bytes, {} has {}", destination.path, *room, disk, size));
  const bool direct = through.empty();
  const auto speed = direct ? static_cast<unsigned long long>(bytesPerSecond) : kHardlyAny;
  std::array<virTypedParameter, 2> limits = {number(VIR_DOMAIN_BLOCK_COPY_BANDWIDTH, speed),
                                             number(VIR_DOMAIN_BLOCK_COPY_BUF_SIZE, kTakenAtOnce)};
  const int count = direct ? (speed > 0 ? 1 : 0) : 2;
  if (virDomainBlockCopy(&domain, disk.c_str(), copyTargetXml(destination).c_str(), limits.data(), count, kCopyFlags) <
      0)
    return fail(within(disk, lastError()));
  if (direct) return {};
  if (const auto led = takeDetour(domain, disk, destination, through); !led)
    log::warn("{} is copied the straight way: {}", disk, led.error().message);
  return limitMirror(domain, disk, bytesPerSecond);
}

Result<> pivotMirror(virDomain& domain, const std::string& disk) {
  const auto mirror = TRY(findDisk(domain, disk)).mirror;
  if (!mirror) return fail(Code::NotFound, fmt::format("{} is not being copied", disk));
  if (!mirror->ready) return fail(Code::Conflict, fmt::format("the copy of {} is not ready", disk));
  // Whoever led it astray may be gone, and the guest is to stay there.
  if (mirror->destination.takesZerosLiterally()) TRY(endDetour(domain, disk, mirror->destination));
  if (virDomainBlockJobAbort(&domain, disk.c_str(), VIR_DOMAIN_BLOCK_JOB_ABORT_PIVOT) < 0)
    return fail(within(disk, lastError()));
  return {};
}

Result<> limitMirror(virDomain& domain, const std::string& disk, std::int64_t bytesPerSecond) {
  if (virDomainBlockJobSetSpeed(&domain, disk.c_str(), static_cast<unsigned long>(bytesPerSecond),
                                VIR_DOMAIN_BLOCK_JOB_SPEED_BANDWIDTH_BYTES) < 0)
    return fail(within(disk, lastError()));
  return {};
}

Result<> cancelMirror(virDomain& domain, const std::string& disk) {
  const auto mirror = TRY(findDisk(domain, disk)).mirror;
  if (!mirror) return {};
  if (virDomainBlockJobAbort(&domain, disk.c_str(), 0) < 0) {
    const Error error = lastError();
    if (TRY(findDisk(domain, disk)).mirror) return fail(within(disk, error));
  }
  if (mirror->destination.takesZerosLiterally()) forgetDetour(domain, disk);
  return {};
}

Result<> resizeDisk(virDomain& domain, const std::string& disk, std::int64_t bytes) {
  const std::int64_t size = TRY(sizeOfIdleDisk(domain, disk));
  // A guest counts whole sectors, and QEMU rounds up to them.
  const std::int64_t wanted = (bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
  if (wanted < size)
    return fail(Code::Invalid, fmt::format("{} has {} bytes, which is more than {}", disk, size, bytes));
  if (wanted == size) return {};
  if (virDomainBlockResize(&domain, disk.c_str(), static_cast<unsigned long long>(wanted),
                           VIR_DOMAIN_BLOCK_RESIZE_BYTES) < 0)
    return fail(within(disk, lastError()));
  return {};
}

}  // namespace godwit::hypervisor::libvirt
