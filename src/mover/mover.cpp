#include "mover/mover.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "base/mutex.hpp"

namespace godwit::mover {
namespace {

using hypervisor::DiskState;
using hypervisor::DomainState;
using hypervisor::RunState;

Copy copyOf(const Result<DomainState>& described) {
  if (!described) return described.error().code == Code::NotFound ? Copy::Absent : Copy::Unknown;
  switch (described->state) {
    case RunState::Running:
      return Copy::Running;
    case RunState::Paused:
      return Copy::Paused;
    case RunState::InTransit:
      return Copy::InTransit;
  }
  __builtin_unreachable();
}

const DiskState* findDisk(const DomainState& guest, const std::string& target) {
  for (const DiskState& disk : guest.disks)
    if (disk.target == target) return &disk;
  return nullptr;
}

DiskPlace placeOf(const DomainState& guest, const MovedDisk& moved) {
  const DiskState* disk = findDisk(guest, moved.target);
  if (!disk) return DiskPlace::AtSource;
  if (disk->mirror) return disk->mirror->ready ? DiskPlace::Ready : DiskPlace::Mirroring;
  return disk->source.sameBytes(moved.destination()) ? DiskPlace::AtDestination : DiskPlace::AtSource;
}

// At a look each millisecond, well above the time that a target takes to put the arrival on record.
constexpr int kLooksAtTargetAlone = 50;

bool mayHaveBeenCarriedOut(Code code) { return code == Code::Unavailable || code == Code::Timeout; }

}  // namespace

struct Mover::Call {
  Mutex mutex;
  bool ended GUARDED_BY(mutex) = false;
  std::string error GUARDED_BY(mutex);
};

Mover::Mover(Orders orders, Parties parties, std::function<void()> wake)
    : orders_(std::move(orders)),
      parties_(parties),
      wake_(std::move(wake)),
      inherited_(parties_.journal.last().has_value() && !orders_.inPlace) {
  const auto wakeOnOurs = [this](const std::string& domain) {
    if (domain != orders_.domain) return;
    stirred_ = true;
    wake_();
  };
  parties_.source.whenChanged([this, wakeOnOurs](const std::string& domain) {
    if (domain == orders_.domain) gauge_.standstill().stir(parties_.clock.now());
    wakeOnOurs(domain);
  });
  if (!orders_.inPlace) parties_.target.whenChanged(wakeOnOurs);
}

Mover::~Mover() {
  parties_.source.whenChanged({});
  if (!orders_.inPlace) parties_.target.whenChanged({});
}

Result<std::optional<Entry>> Mover::step() {
  if (!parties_.journal.last()) TRY(parties_.journal.append({Stage::Copying, "Begun", ""}));
  if (isVerdict(parties_.journal.last()->stage)) return parties_.journal.last();
  if (inherited_) TRY(parties_.source.thaw(orders_.domain));
  inherited_ = false;
  const Observed observed = observe();
  const Step step = orders_.inPlace ? in_place::decide(observed) : migration::decide(observed);
  TRY(record(observed, step));
  gauge_.enter(step.stage);
  if (isVerdict(step.stage)) return parties_.journal.last();
  TRY(perform(orders_.inPlace ? in_place::dutyOf(step.stage, observed) : migration::dutyOf(step.stage, observed)));
  return std::nullopt;
}

Observed Mover::observe() {
  Observed seen{.record = *parties_.journal.last(),
                .cancelRequested = cancelRequested_,
                .attempted = attempted_,
                .incompatible = incompatible_,
                .error = error_,
                .disks = {}};
  bool callPending = false;
  if (call_) {
    const Lock lock(call_->mutex);
    callPending = !call_->ended;
    if (!call_->error.empty()) seen.error = call_->error;
  }
  if (orders_.inPlace) {
    seen.target = Copy::Absent;
    lookAtSource(seen);
    return seen;
  }
  seen.target = lookAtTarget();
  seen.migrationUnderWay = callPending;
  if (stirred_.exchange(false)) looksAtTargetAlone_ = kLooksAtTargetAlone;
  if (sourceIsLeftInPeace(seen, callPending)) {
    seen.source = Copy::InTransit;
    return seen;
  }
  lookAtSource(seen);
  // The two sides cannot be asked at one instant. What the target says before and after the source's
  // answer must agree, or the guest was between them: then nothing is known, and the next look tells.
  // A target that does not answer is not waited for twice.
  if (seen.target != Copy::Unknown && lookAtTarget() != seen.target) {
    seen.source = Copy::Unknown;
    wake_();
  }
  return seen;
}

// A daemon that is about to end the copy it has handed over answers only when that is done, a fifth of a
// second later; the guest shall not wait for it. Once the target has the guest whole, the fence looks at the source
// for itself. When something stirs before, that may be what comes: the target alone is looked at for a while,
// again and again, because no event tells when it has put on record that it has the guest.
bool Mover::sourceIsLeftInPeace(const Observed& seen, bool callPending) {
  if (seen.record.stage != Stage::Copying) return false;
  if (seen.target == Copy::Paused) return true;
  return callPending && seen.target == Copy::InTransit && looksAtTargetAlone_-- > 0;
}

Copy Mover::lookAtTarget() const {
  const Copy copy = copyOf(parties_.target.describe(orders_.domain));
  return copy == Copy::Unknown && targetDead_ ? Copy::Absent : copy;
}

void Mover::lookAtSource(Observed& seen) {
  const int look = gauge_.standstill().beginLook();
  const auto source = parties_.source.describe(orders_.domain);
  seen.source = copyOf(source);
  seen.migrationUnderWay = seen.migrationUnderWay || (source && source->outgoing);
  if (orders_.inPlace) observeDisks(source, seen);
  if (!source) return;
  if (!orders_.inPlace) gauge_.expectMemory(source->memoryBytes);
  const Timestamp now = parties_.clock.now();
  if (const auto sample = sampleOf(*source, now)) gauge_.note(*sample);
  if (seen.source == Copy::Running)
    gauge_.standstill().noteRunning(look);
  else
    gauge_.standstill().noteStill(now);
}

void Mover::observeDisks(const Result<DomainState>& guest, Observed& into) const {
  if (guest)
    for (const MovedDisk& disk : orders_.disks) into.disks.push_back(placeOf(*guest, disk));
}

Result<> Mover::record(const Observed& observed, const Step& step) {
  const Entry& before = observed.record;
  if (step.stage == before.stage) return {};
  const bool undoing = step.stage == Stage::RollingBack || step.stage == Stage::NotMoved;
  const std::string message = undoing && !observed.error.empty() ? observed.error : before.message;
  log::info("{}: {}", schema::nameOf(step.stage), step.reason);
  return parties_.journal.append({step.stage, std::string(step.reason), undoing ? message : ""});
}

Result<> Mover::perform(Duty duty) {
  const std::string& domain = orders_.domain;
  switch (duty) {
    case Duty::Wait:
      return {};
    case Duty::BeginMigration:
      return beginMigration();
    case Duty::CancelMigration:
      return parties_.source.cancelMigration(domain);
    case Duty::Fence:
      // The guest waits: a source that is shut out needs no second look before the target goes on.
      // One that runs on is what the next look finds.
      if (TRY(parties_.source.fence(domain)) == hypervisor::Fencing::Fenced) TRY(resumeTarget());
      wake_();
      return {};
    case Duty::ResumeTarget:
      TRY(resumeTarget());
      wake_();
      return {};
    case Duty::DestroyTarget:
      return parties_.target.destroy(domain);
    case Duty::ResumeSource:
      return parties_.source.resume(domain);
    case Duty::BeginCopies:
      return beginCopies();
    case Duty::Pivot:
      return eachMirror(&hypervisor::Hypervisor::pivot, true);
    case Duty::CancelCopies:
      return eachMirror(&hypervisor::Hypervisor::cancelCopy, false);
  }
  __builtin_unreachable();
}

Result<> Mover::resumeTarget() {
  TRY(parties_.target.resume(orders_.domain));
  gauge_.noteResumed(parties_.clock.now());
  return {};
}

// What cannot be found out is no obstacle: the hypervisor itself looks again when the guest arrives.
std::vector<std::string> Mover::featuresLacking() {
  const auto processor = parties_.source.processorOf(orders_.domain);
  const Result<std::vector<std::string>> lacking =
      processor ? parties_.target.lackingFeatures(*processor) : fail(processor.error());
  if (lacking) return *lacking;
  log::warn("the processors cannot be compared: {}", lacking.error().message);
  return {};
}

Result<> Mover::beginMigration() {
  hypervisor::MigrationOrder order{.domain = orders_.domain,
                                   .targetUri = orders_.targetUri,
                                   .socketDirectory = orders_.socketDirectory,
                                   .address = orders_.address,
                                   .encrypted = orders_.encrypted,
                                   .targetConsoleFile = orders_.targetConsoleFile,
                                   .copyDisks = {}};
  for (const MovedDisk& disk : orders_.disks) order.copyDisks[disk.target] = disk.destination();
  attempted_ = true;
  if (const auto lacking = featuresLacking(); !lacking.empty()) {
    incompatible_ = true;
    error_ = fmt::format("the processor of the target lacks features that the guest has: {}", fmt::join(lacking, ", "));
    wake_();
    return {};
  }
  call_ = std::make_shared<Call>();
  const auto begun = parties_.source.beginMigration(order, [call = call_, wake = wake_](const Result<>& outcome) {
    {
      const Lock lock(call->mutex);
      call->ended = true;
      if (!outcome) call->error = outcome.error().message;
    }
    wake();
  });
  if (begun) return {};
  error_ = begun.error().message;
  const Lock lock(call_->mutex);
  call_->ended = true;
  return {};
}

Result<> Mover::beginCopies() {
  const DomainState guest = TRY(parties_.source.describe(orders_.domain));
  for (const MovedDisk& disk : orders_.disks) {
    if (placeOf(guest, disk) != DiskPlace::AtSource) continue;
    const auto begun = parties_.source.beginCopy(orders_.domain, disk.target, disk.destination());
    if (begun) continue;
    if (mayHaveBeenCarriedOut(begun.error().code)) return begun;
    error_ = begun.error().message;
  }
  attempted_ = true;
  return {};
}

Result<> Mover::eachMirror(Result<> (hypervisor::Hypervisor::*act)(const std::string&, const std::string&),
                           bool onlyReady) {
  const DomainState guest = TRY(parties_.source.describe(orders_.domain));
  for (const MovedDisk& disk : orders_.disks) {
    const DiskPlace place = placeOf(guest, disk);
    if (place == DiskPlace::Ready || (!onlyReady && place == DiskPlace::Mirroring))
      TRY((parties_.source.*act)(orders_.domain, disk.target));
  }
  wake_();
  return {};
}

}  // namespace godwit::mover
