#include "mover/mover.hpp"

#include "base/log.hpp"
#include "mover/disk_place.hpp"

namespace godwit::mover {
namespace {

using hypervisor::DomainState;
using hypervisor::RunState;

Copy copyOf(const Result<RunState>& told) {
  if (!told) return told.error().code == Code::NotFound ? Copy::Absent : Copy::Unknown;
  switch (*told) {
    case RunState::Running:
      return Copy::Running;
    case RunState::Paused:
      return Copy::Paused;
    case RunState::InTransit:
      return Copy::InTransit;
    case RunState::LeftBehind:
      return Copy::LeftBehind;
  }
  __builtin_unreachable();
}

// For how many looks the target alone is asked, and how long after each other: a target that has spoken is about to put
// the arrival on record; one whose source has spoken is about to speak, and is not to be kept from its work.
constexpr int kLooksAtTargetAlone = 50;
constexpr Duration kTargetIsAboutToRecord = std::chrono::milliseconds(1);
constexpr Duration kTargetIsAboutToSpeak = std::chrono::milliseconds(10);
// An event may be lost, and progress makes none: then this is how long nobody looks.
constexpr Duration kNobodySpeaks = std::chrono::seconds(1);

// Whoever finds the source dead and the guest whole at the target knows all that there is to know, and goes on from
// there: the guest does not wait until that is written down.
bool isItsOwnRecord(Duty duty, const Observed& observed) {
  return duty == Duty::Fence && isCopying(observed.record.stage);
}

}  // namespace

Mover::Mover(Orders orders, Parties parties, std::function<void()> wake)
    : orders_(std::move(orders)),
      parties_(parties),
      wake_(std::move(wake)),
      inherited_(parties_.journal.last().has_value() && !orders_.inPlace),
      sourceLostPower_(inherited_ && parties_.journal.last()->boot != parties_.boot) {
  parties_.source.whenChanged([this](const std::string& domain) {
    if (domain != orders_.domain) return;
    gauge_.standstill().stir(parties_.clock.now());
    hear(Side::Source);
  });
  if (orders_.inPlace) return;
  parties_.target.whenChanged([this](const std::string& domain) {
    if (domain == orders_.domain) hear(Side::Target);
  });
}

void Mover::hear(Side side) {
  lastSpoke_ = side;
  stirred_ = true;
  wake_();
}

Duration Mover::lookAgainAfter() const {
  if (looksAtTargetAlone_ <= 0) return kNobodySpeaks;
  return lastSpoke_ == Side::Target ? kTargetIsAboutToRecord : kTargetIsAboutToSpeak;
}

Mover::~Mover() {
  parties_.source.whenChanged({});
  if (!orders_.inPlace) parties_.target.whenChanged({});
}

Result<std::optional<Entry>> Mover::step() {
  if (!parties_.journal.last()) TRY(write({Stage::Copying, "Begun", ""}));
  if (isVerdict(parties_.journal.last()->stage)) return parties_.journal.last();
  if (inherited_) TRY(parties_.source.thaw(orders_.domain));
  inherited_ = false;
  const Observed observed = observe();
  const Step step = orders_.inPlace ? in_place::decide(observed) : migration::decide(observed);
  const Duty duty = orders_.inPlace ? in_place::dutyOf(step.stage, observed) : migration::dutyOf(step.stage, observed);
  if (!isItsOwnRecord(duty, observed)) TRY(record(observed, step));
  gauge_.enter(step.stage);
  // The copy that was called off is not the one that follows it.
  if (observed.record.stage == Stage::Recalling && step.stage == Stage::PostCopying) attempted_ = false;
  if (isVerdict(step.stage)) return parties_.journal.last();
  TRY(perform(duty));
  TRY(tune(observed, step.stage));
  return std::nullopt;
}

Observed Mover::observe() {
  Observed seen{.record = *parties_.journal.last(),
                .cancelRequested = cancelRequested_,
                .targetDead = targetDead_,
                .sourceLostPower = sourceLostPower_,
                .attempted = attempted_,
                .goneAhead = goneAhead_,
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
    weigh(seen);
    return seen;
  }
  seen.target = lookAtTarget();
  seen.migrationUnderWay = callPending;
  if (stirred_.exchange(false)) looksAtTargetAlone_ = kLooksAtTargetAlone;
  if (fenced_ || sourceIsLeftInPeace(seen, callPending)) {
    seen.source = fenced_ ? Copy::Absent : Copy::InTransit;
    return seen;
  }
  lookAtSource(seen);
  if (seen.source == Copy::LeftBehind && seen.target == Copy::Running) gauge_.noteResumed(parties_.clock.now());
  // The two sides cannot be asked at one instant. What the target says before and after the source's
  // answer must agree, or the guest was between them: then nothing is known, and the next look tells.
  // A target that does not answer is not waited for twice.
  if (seen.target != Copy::Unknown && lookAtTarget() != seen.target) {
    seen.source = Copy::Unknown;
    wake_();
  }
  weigh(seen);
  return seen;
}

void Mover::weigh(Observed& seen) const {
  seen.mayHold = options_.disruption;
  // A copy that begins anew would have to copy the disks anew, too.
  seen.mayPostCopy = options_.postCopy && orders_.disks.empty();
  seen.lapse = gauge_.judge(options_, seen.record.stage == Stage::Holding);
  if (seen.lapse != Lapse::None && seen.error.empty()) seen.error = gauge_.complain(seen.lapse, options_);
}

// A daemon that is about to end the copy it has handed over answers only when that is done, a fifth of a
// second later; the guest shall not wait for it. Once the target has the guest whole, the fence looks at the source
// for itself. When something stirs before, that may be what comes: the target alone is looked at for a while,
// again and again, because no event tells when it has put on record that it has the guest.
bool Mover::sourceIsLeftInPeace(const Observed& seen, bool callPending) {
  if (!isCopying(seen.record.stage) || fenceFailed_) return false;
  if (seen.target == Copy::Paused) return true;
  return callPending && seen.target == Copy::InTransit && looksAtTargetAlone_-- > 0;
}

Copy Mover::lookAtTarget() const {
  const Copy copy = copyOf(parties_.target.runStateOf(orders_.domain));
  return copy == Copy::Unknown && targetDead_ ? Copy::Absent : copy;
}

void Mover::lookAtSource(Observed& seen) {
  const int look = gauge_.standstill().beginLook();
  const auto source = parties_.source.describe(orders_.domain);
  seen.source = copyOf(source.map(&DomainState::state));
  seen.migrationUnderWay = seen.migrationUnderWay || (source && source->outgoing);
  if (orders_.inPlace) observeDisks(source, seen);
  if (!source) return;
  if (!orders_.inPlace) gauge_.expectMemory(source->memoryBytes);
  const Timestamp now = parties_.clock.now();
  if (const auto sample = sampleOf(*source, now)) gauge_.note(*sample, options_);
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
  // Why it is undone is not forgotten for what the hypervisor says when it obeys.
  const std::string message = before.message.empty() ? observed.error : before.message;
  log::info("{}: {}", schema::nameOf(step.stage), step.reason);
  return write({step.stage, std::string(step.reason), undoing ? message : ""});
}

Result<> Mover::write(Entry entry) {
  entry.boot = parties_.boot;
  return parties_.journal.append(entry);
}

}  // namespace godwit::mover
