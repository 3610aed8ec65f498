#include "hypervisor/libvirt/outgoing.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "hypervisor/libvirt/inspection.hpp"
#include "hypervisor/libvirt/mirroring.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kDowntimeOfQemuMs = 300;

// What the daemon says of a job; freed with it.
class JobStatistics {
 public:
  explicit JobStatistics(virDomain& domain) {
    // A domain that has just gone has no statistics either.
    if (virDomainGetJobStats(&domain, &type_, &parameters_, &count_, 0) < 0) type_ = VIR_DOMAIN_JOB_NONE;
  }
  JobStatistics(const JobStatistics&) = delete;
  JobStatistics& operator=(const JobStatistics&) = delete;
  ~JobStatistics() { virTypedParamsFree(parameters_, count_); }

  bool areOfMigrationAway() const {
    int operation = VIR_DOMAIN_JOB_OPERATION_UNKNOWN;
    virTypedParamsGetInt(parameters_, count_, VIR_DOMAIN_JOB_OPERATION, &operation);
    return type_ != VIR_DOMAIN_JOB_NONE && operation == VIR_DOMAIN_JOB_OPERATION_MIGRATION_OUT;
  }

  std::int64_t number(const char* name) const {
    unsigned long long value = 0;
    virTypedParamsGetULLong(parameters_, count_, name, &value);
    return static_cast<std::int64_t>(value);
  }

  std::int64_t smallNumber(const char* name) const {
    int value = 0;
    virTypedParamsGetInt(parameters_, count_, name, &value);
    return value;
  }

 private:
  int type_ = VIR_DOMAIN_JOB_NONE;
  virTypedParameterPtr parameters_ = nullptr;
  int count_ = 0;
};

Result<> tuneMigration(virDomain& domain, const Tuning& tuning) {
  if (virDomainMigrateSetMaxSpeed(&domain, static_cast<unsigned long>(mebibytesOf(tuning.bandwidthBytesPerSecond)), 0) <
      0)
    return fail(lastError());
  const std::int64_t downtime = tuning.maxDowntimeMs ? tuning.maxDowntimeMs : kDowntimeOfQemuMs;
  if (virDomainMigrateSetMaxDowntime(&domain, static_cast<unsigned long long>(downtime), 0) < 0)
    return fail(lastError());
  return {};
}

}  // namespace

unsigned long long mebibytesOf(std::int64_t bytesPerSecond) {
  // QEMU counts bytes in a signed number: that many is no limit.
  if (bytesPerSecond == 0) return static_cast<unsigned long long>(std::numeric_limits<std::int64_t>::max() / kMebibyte);
  return static_cast<unsigned long long>(std::max<std::int64_t>(1, bytesPerSecond / kMebibyte));
}

std::optional<MigrationProgress> outgoingProgress(virDomain& domain) {
  const JobStatistics job(domain);
  if (!job.areOfMigrationAway()) return std::nullopt;
  return MigrationProgress{
      .memoryTotal = job.number(VIR_DOMAIN_JOB_MEMORY_TOTAL),
      .memoryRemaining = job.number(VIR_DOMAIN_JOB_MEMORY_REMAINING),
      .memorySent = job.number(VIR_DOMAIN_JOB_MEMORY_PROCESSED),
      .dirtyBytesPerSecond = job.number(VIR_DOMAIN_JOB_MEMORY_DIRTY_RATE) * job.number(VIR_DOMAIN_JOB_MEMORY_PAGE_SIZE),
      .iteration = job.number(VIR_DOMAIN_JOB_MEMORY_ITERATION),
      .throttlePercent = job.smallNumber(VIR_DOMAIN_JOB_AUTO_CONVERGE_THROTTLE),
      .disksDone = job.number(VIR_DOMAIN_JOB_DISK_PROCESSED),
      .disksTotal = job.number(VIR_DOMAIN_JOB_DISK_TOTAL)};
}

Result<> tuneCopies(virDomain& domain, const Tuning& tuning) {
  const DomainState state = TRY(inspect(domain));
  if (state.outgoing) return tuneMigration(domain, tuning);
  if (!isCopying(state)) return fail(Code::Conflict, fmt::format("nothing of {} is being copied", state.name));
  const auto mirrors =
      std::count_if(state.disks.begin(), state.disks.end(), [](const auto& disk) { return disk.mirror.has_value(); });
  // What limits the move is shared by its disks; 0 is no limit.
  const std::int64_t total = tuning.bandwidthBytesPerSecond;
  const std::int64_t share = total == 0 ? 0 : std::max<std::int64_t>(1, total / mirrors);
  for (const DiskState& disk : state.disks)
    if (disk.mirror) TRY(limitMirror(domain, disk.target, share));
  return {};
}

Result<> holdGuest(virDomain& domain) {
  if (!outgoingProgress(domain)) return fail(Code::Conflict, "the guest is not on its way");
  if (virDomainSuspend(&domain) < 0) return fail(lastError());
  return {};
}

Result<> startPostCopyOf(virDomain& domain) {
  const auto progress = outgoingProgress(domain);
  if (!progress || progress->memorySent == 0) return fail(Code::Conflict, "no memory is on its way");
  if (virDomainMigrateStartPostCopy(&domain, 0) < 0) return fail(lastError());
  return {};
}

std::optional<DiskProgress> copyProgress(virDomain& domain, const std::string& disk) {
  virDomainBlockJobInfo job{};
  if (virDomainGetBlockJobInfo(&domain, disk.c_str(), &job, 0) != 1) return std::nullopt;
  return DiskProgress{disk, static_cast<std::int64_t>(job.cur), static_cast<std::int64_t>(job.end)};
}

}  // namespace godwit::hypervisor::libvirt
