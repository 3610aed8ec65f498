#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "mover/disk_place.hpp"
#include "mover/mover.hpp"

// What a mover does, once it is on record.
namespace godwit::mover {
namespace {

bool mayHaveBeenCarriedOut(Code code) { return code == Code::Unavailable || code == Code::Timeout; }

}  // namespace

Result<> Mover::perform(Duty duty) {
  const std::string& domain = orders_.domain;
  switch (duty) {
    case Duty::Wait:
      return {};
    case Duty::BeginMigration:
      return beginMigration(false);
    case Duty::BeginPostCopy:
      return beginMigration(true);
    case Duty::StartPostCopy:
      return startPostCopy();
    case Duty::DestroySource:
      return parties_.source.destroy(domain);
    case Duty::Hold:
      return parties_.source.hold(domain);
    case Duty::CancelMigration:
      return parties_.source.cancelMigration(domain);
    case Duty::Fence:
      TRY(parties_.source.fence(domain));
      wake_();
      return {};
    case Duty::DestroyTarget:
      return parties_.target.destroy(domain);
    case Duty::ResumeSource:
      TRY(parties_.source.resume(domain));
      if (orders_.inPlace) wake_();
      return {};
    case Duty::Pause:
      TRY(parties_.source.pause(domain));
      wake_();
      return {};
    case Duty::BeginCopies:
      return beginCopies();
    case Duty::Compare:
      return compareCopies();
    case Duty::Pivot:
      return eachMirror(&hypervisor::Hypervisor::pivot, true);
    case Duty::CancelCopies:
      return eachMirror(&hypervisor::Hypervisor::cancelCopy, false);
  }
  __builtin_unreachable();
}

Result<std::vector<std::string>> lackingFeatures(hypervisor::Hypervisor& source, hypervisor::Hypervisor& target,
                                                 const std::string& domain) {
  return target.lackingFeatures(TRY(source.processorOf(domain)));
}

// What cannot be found out is no obstacle: the hypervisor itself looks again when the guest arrives.
std::vector<std::string> Mover::featuresLacking() {
  const auto lacking = parties_.lackingFeatures ? parties_.lackingFeatures()
                                                : lackingFeatures(parties_.source, parties_.target, orders_.domain);
  if (lacking) return *lacking;
  log::warn("the processors cannot be compared: {}", lacking.error().message);
  return {};
}

// Before its memory is on its way there is nothing to follow; the next step tries again.
Result<> Mover::startPostCopy() {
  const auto started = parties_.source.startPostCopy(orders_.domain);
  goneAhead_ = goneAhead_ || started;
  if (!started && started.error().code != Code::Conflict) return started;
  return {};
}

Result<> Mover::beginMigration(bool postCopy) {
  hypervisor::MigrationOrder order{.domain = orders_.domain,
                                   .targetUri = orders_.targetUri,
                                   .socketDirectory = orders_.socketDirectory,
                                   .address = orders_.address,
                                   .encrypted = orders_.encrypted,
                                   .targetConsoleFile = orders_.targetConsoleFile,
                                   .copyDisks = {},
                                   .tuning = options_.tuning(),
                                   .autoConverge = options_.autoConverge && !postCopy,
                                   .postCopy = postCopy};
  for (const MovedDisk& disk : orders_.disks) {
    order.copyDisks[disk.target] = disk.destination();
    // Over a line that is encrypted nobody can see zeros.
    if (orders_.address.empty() && disk.destination().takesZerosLiterally())
      order.thinDisks[disk.target] = parties_.thinWays.takesNoRoom(disk.destination()).value_or(false);
  }
  attempted_ = true;
  error_.clear();
  // Of an earlier one: what is found there later is of this one.
  TRY(parties_.target.forgetArrival(orders_.domain));
  if (const auto lacking = featuresLacking(); !lacking.empty()) {
    incompatible_ = true;
    error_ = fmt::format("the processor of the target lacks features that the guest has: {}", fmt::join(lacking, ", "));
    wake_();
    return {};
  }
  {
    const Lock lock(call_->mutex);
    call_->pending = true;
    call_->isQuiet = !postCopy;
    call_->error.clear();
  }
  log::info("the source's hypervisor is asked to move {}", orders_.domain);
  const auto begun = parties_.source.beginMigration(order, [call = call_, wake = wake_](const Result<>& outcome) {
    {
      const Lock lock(call->mutex);
      call->pending = false;
      if (!outcome) call->error = outcome.error().message;
    }
    wake();
  });
  tuned_ = order.tuning;
  if (begun) return {};
  error_ = begun.error().message;
  const Lock lock(call_->mutex);
  call_->pending = false;
  return {};
}

Result<> Mover::beginCopies() {
  const hypervisor::DomainState guest = TRY(parties_.source.describe(orders_.domain));
  // What limits the move is shared by its disks.
  const std::int64_t limit = options_.bandwidthBytesPerSecond;
  const std::int64_t share =
      limit > 0 ? std::max<std::int64_t>(1, limit / static_cast<std::int64_t>(orders_.disks.size())) : 0;
  for (const MovedDisk& disk : orders_.disks) {
    if (placeOf(guest, disk) != DiskPlace::AtSource) continue;
    std::erase(closedWays_, disk);
    const std::string through = TRY(thinWayTo(disk));
    log::info("the hypervisor is asked to copy {} to {}", disk.target, disk.path);
    const auto begun = parties_.source.beginCopy(orders_.domain, disk.target, disk.destination(), share, through);
    if (begun) continue;
    if (mayHaveBeenCarriedOut(begun.error().code)) return begun;
    error_ = begun.error().message;
  }
  attempted_ = true;
  tuned_ = hypervisor::Tuning{};
  wake_();
  return {};
}

Result<std::string> Mover::thinWayTo(const MovedDisk& disk) {
  if (!parties_.thinWays.open || !disk.destination().takesZerosLiterally()) return "";
  auto opened = parties_.thinWays.open(disk.destination());
  if (opened || opened.error().code == Code::Conflict) return opened;
  log::warn("{}: zeros are copied, too: {}", disk.target, opened.error().message);
  return "";
}

// A copy waits for its way for some time, and is not there any more when nobody opens it. A guest that stands still
// does not wait for that.
void Mover::reopenThinWays() {
  std::erase_if(closedWays_, [&](const MovedDisk& disk) { return thinWayTo(disk).has_value(); });
}

Result<> Mover::compareCopies() {
  const hypervisor::DomainState guest = TRY(parties_.source.describe(orders_.domain));
  TRY(verification_.goOn(guest, options_,
                         [&](const std::string& disk) { return parties_.source.diskSize(orders_.domain, disk); }));
  gauge_.noteVerification(verification_.disks());
  if (verification_.agreement() != Agreement::Pending) wake_();
  return {};
}

Result<> Mover::eachMirror(Result<> (hypervisor::Hypervisor::*act)(const std::string&, const std::string&),
                           bool onlyReady) {
  const hypervisor::DomainState guest = TRY(parties_.source.describe(orders_.domain));
  for (const MovedDisk& disk : orders_.disks) {
    const DiskPlace place = placeOf(guest, disk);
    if (place == DiskPlace::Ready || (!onlyReady && place == DiskPlace::Mirroring))
      TRY((parties_.source.*act)(orders_.domain, disk.target));
  }
  wake_();
  return {};
}

// What is begun here is begun with what holds then; whoever takes over does not know, and tells it again.
Result<> Mover::tune(const Observed& observed, Stage stage) {
  const bool copying = orders_.inPlace ? stage == Stage::Copying && !observed.disks.empty()
                                       : isCopying(stage) && observed.migrationUnderWay;
  // A source that may be handing its guest over is not kept from it by questions.
  const bool inPeace = observed.source != Copy::Running && stage != Stage::Holding;
  if (!copying || inPeace || tuned_ == options_.tuning()) return {};
  const auto done = parties_.source.tune(orders_.domain, options_.tuning());
  // Nothing to tell it to: it has not quite begun, or is over.
  if (!done && (done.error().code == Code::Conflict || done.error().code == Code::NotFound)) return {};
  TRY(done);
  tuned_ = options_.tuning();
  log::info("limits: {}/s, {} ms of downtime (0: none)", sayBytes(tuned_->bandwidthBytesPerSecond),
            tuned_->maxDowntimeMs);
  return {};
}

}  // namespace godwit::mover
