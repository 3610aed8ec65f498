#include "mover/mover.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.hpp"
#include "mover/disk_place.hpp"

namespace godwit::mover {
namespace {

using hypervisor::DomainState;
using hypervisor::RunState;

Copy copyOf(const Result<RunState>& told) {
  if (!told && told.error().code == Code::Gone) return Copy::Ended;
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

// An event may be lost, and progress makes none: then this is how long nobody looks.
constexpr Duration kNobodySpeaks = std::chrono::seconds(1);

constexpr Duration kDaemonsAreSettling = std::chrono::milliseconds(20);
constexpr Duration kCopiesCatchUp = std::chrono::milliseconds(5);
// What a copy still lacks when the guest begins to stand still is a moment's work, or its storage does not answer.
constexpr Duration kLongestHold = std::chrono::seconds(10);

}  // namespace

Mover::Mover(Orders orders, Parties parties, std::function<void()> wake)
    : orders_(std::move(orders)),
      parties_(std::move(parties)),
      wake_(std::move(wake)),
      inherited_(parties_.journal.last().has_value() && !orders_.inPlace),
      verification_(orders_, parties_.firstDifference, parties_.clock) {
  if (orders_.inPlace && parties_.journal.last()) closedWays_ = orders_.disks;
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

// What stirs while the migration is under way is the guest on its way, and questions would only delay it: the end of
// the call tells more.
void Mover::hear(Side side) {
  if (side == Side::Target) targetSpoke_ = parties_.clock.now();
  const Lock lock(call_->mutex);
  if (!call_->pending || !call_->isQuiet) wake_();
}

Duration Mover::lookAgainAfter() const {
  const Stage stage = parties_.journal.last()->stage;
  if (stage == Stage::Verifying) return verification_.lookAgainAfter(options_);
  if (heldSince_) return kCopiesCatchUp;
  return stage == Stage::SwitchingOver || stage == Stage::RollingBack ? kDaemonsAreSettling : kNobodySpeaks;
}

Mover::~Mover() {
  parties_.source.whenChanged({});
  if (!orders_.inPlace) parties_.target.whenChanged({});
}

Result<std::optional<Entry>> Mover::step() {
  if (!parties_.journal.last()) TRY(parties_.journal.append({Stage::Copying, "Begun", ""}));
  if (isVerdict(parties_.journal.last()->stage)) return parties_.journal.last();
  reopenThinWays();
  const Observed observed = observe();
  const Step step = orders_.inPlace ? in_place::decide(observed) : migration::decide(observed);
  const Duty duty = orders_.inPlace ? in_place::dutyOf(step.stage, observed) : migration::dutyOf(step.stage, observed);
  TRY(record(observed, step));
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
                .attempted = attempted_,
                .goneAhead = goneAhead_,
                .incompatible = incompatible_,
                .error = error_,
                .disks = {},
                .agreement = verification_.agreement(),
                .switchOverHeld = options_.holdSwitchOver};
  {
    const Lock lock(call_->mutex);
    seen.migrationUnderWay = call_->pending;
    if (!call_->error.empty()) seen.error = call_->error;
  }
  if (orders_.inPlace) {
    seen.target = Copy::Absent;
    lookAtSource(seen);
    noteHold(seen);
    weigh(seen);
    return seen;
  }
  seen.target = lookAtTarget();
  inherited_ = inherited_ && parties_.source.isShutOut(orders_.domain);
  if (inherited_)
    seen.source = Copy::InTransit;
  else
    lookAtSource(seen);
  // The two sides cannot be asked at one instant. What the target says before and after the source's
  // answer must agree, or the guest was between them: then nothing is known, and the next look tells.
  // A target that does not answer is not waited for twice.
  if (seen.target != Copy::Unknown && lookAtTarget() != seen.target) {
    seen.source = Copy::Unknown;
    wake_();
  }
  // What has ended there is of another time.
  if (seen.source == Copy::Running && seen.target == Copy::Ended) seen.target = Copy::Absent;
  // Nobody can tell any more whether it ran there, and what it wrote.
  if (seen.target == Copy::Unknown && targetDead_)
    seen.target = seen.source == Copy::Running ? Copy::Absent : Copy::Ended;
  if (seen.target == Copy::Running && seen.source != Copy::Running)
    gauge_.noteResumed(targetSpoke_.load() == Timestamp() ? parties_.clock.now() : targetSpoke_.load());
  weigh(seen);
  return seen;
}

void Mover::noteHold(Observed& seen) {
  const Stage stage = seen.record.stage;
  if (stage != Stage::Holding && !(stage == Stage::Mending && seen.source == Copy::Paused)) return heldSince_.reset();
  if (!heldSince_) heldSince_ = parties_.clock.now();
  seen.heldTooLong = parties_.clock.now() - *heldSince_ >= kLongestHold;
  if (seen.heldTooLong && seen.error.empty())
    seen.error = "the guest stood still, and what it had written did not reach the copies";
}

void Mover::weigh(Observed& seen) const {
  seen.mayHold = options_.disruption;
  // A copy that begins anew would have to copy the disks anew, too.
  seen.mayPostCopy = options_.postCopy && orders_.disks.empty();
  seen.lapse = gauge_.judge(options_, seen.record.stage == Stage::Holding);
  if (seen.lapse != Lapse::None && seen.error.empty()) seen.error = gauge_.complain(seen.lapse, options_);
  if (seen.error.empty()) seen.error = verification_.complaint();
}

Copy Mover::lookAtTarget() const { return copyOf(parties_.target.runStateOf(orders_.domain)); }

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
  if (!guest) return;
  for (const MovedDisk& disk : orders_.disks) {
    into.disks.push_back(placeOf(*guest, disk));
    // Nobody says why a copy has ended that was not called off.
    const bool lost = attempted_ && into.record.stage == Stage::Copying && into.disks.back() == DiskPlace::AtSource;
    if (lost && into.error.empty())
      into.error = fmt::format("the hypervisor has given up the copy of {} to {}: it has no room, or cannot be written",
                               disk.target, disk.path);
  }
  into.copiesLag = std::any_of(guest->disks.begin(), guest->disks.end(), [](const hypervisor::DiskState& disk) {
    return disk.mirror && !disk.mirror->hasCaughtUp();
  });
}

Result<> Mover::record(const Observed& observed, const Step& step) {
  const Entry& before = observed.record;
  if (step.stage == before.stage && !hasMovedFurther(observed, step)) return {};
  log::info("{}: {}", schema::nameOf(step.stage), step.reason);
  // A guest that stands still already does so for somebody else.
  const bool mayHold = orders_.inPlace && (step.stage == Stage::Holding || step.stage == Stage::Mending);
  const bool holds = (before.holdsGuest && !isVerdict(step.stage)) || (mayHold && observed.source == Copy::Running);
  return parties_.journal.append({step.stage, std::string(step.reason), messageFor(observed, step), holds});
}

// An order to pivot that nobody has answered may be carried out later.
bool Mover::hasMovedFurther(const Observed& observed, const Step& step) const {
  return step.stage == Stage::Mending && !observed.disks.empty() && describePlaces(observed) != observed.record.message;
}

// Why it is undone is not forgotten for what the hypervisor says when it obeys.
std::string Mover::messageFor(const Observed& observed, const Step& step) const {
  const std::string& before = observed.record.message;
  if (step.stage == Stage::Mending) return describePlaces(observed);
  if (observed.record.stage == Stage::Mending) return step.stage == Stage::Lost ? before : "";
  if (step.stage != Stage::RollingBack && step.stage != Stage::NotMoved) return "";
  return before.empty() ? observed.error : before;
}

std::string Mover::describePlaces(const Observed& observed) const {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < observed.disks.size(); ++i)
    places.push_back(fmt::format("the data of claim {} (disk {}) is {}", orders_.disks[i].claim,
                                 orders_.disks[i].target,
                                 observed.disks[i] == DiskPlace::AtDestination ? "in its destination" : "there still"));
  return fmt::format("{}", fmt::join(places, ", "));
}

}  // namespace godwit::mover
