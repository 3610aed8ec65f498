#include "hypervisor/libvirt/mirroring.hpp"

#include <cstring>

#include <fmt/format.h>

#include "hypervisor/image_size.hpp"
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

}  // namespace

Result<> beginMirror(virDomain& domain, const std::string& disk, const DiskSource& destination,
                     std::int64_t bytesPerSecond) {
  const std::int64_t size = TRY(sizeOfIdleDisk(domain, disk));
  // QEMU gives a copy between different sizes up without a word.
  const auto room = TRY(imageSize(destination));
  if (room && *room != size)
    return fail(Code::Invalid, fmt::format("{} holds {} bytes, {} has {}", destination.path, *room, disk, size));
  virTypedParameter limit{};
  std::strncpy(limit.field, VIR_DOMAIN_BLOCK_COPY_BANDWIDTH, sizeof limit.field - 1);
  limit.type = VIR_TYPED_PARAM_ULLONG;
  limit.value.ul = static_cast<unsigned long long>(bytesPerSecond);
  const int limits = bytesPerSecond > 0 ? 1 : 0;
  if (virDomainBlockCopy(&domain, disk.c_str(), copyTargetXml(destination).c_str(), &limit, limits, kCopyFlags) < 0)
    return fail(within(disk, lastError()));
  return {};
}

Result<> pivotMirror(virDomain& domain, const std::string& disk) {
  const auto mirror = TRY(findDisk(domain, disk)).mirror;
  if (!mirror) return fail(Code::NotFound, fmt::format("{} is not being copied", disk));
  if (!mirror->ready) return fail(Code::Conflict, fmt::format("the copy of {} is not ready", disk));
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
  if (!TRY(findDisk(domain, disk)).mirror) return {};
  if (virDomainBlockJobAbort(&domain, disk.c_str(), 0) == 0) return {};
  const Error error = lastError();
  if (!TRY(findDisk(domain, disk)).mirror) return {};
  return fail(within(disk, error));
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
