#include "hypervisor/simulated/journey.hpp"

#include <fmt/format.h>

namespace godwit::hypervisor::simulated {

namespace {

using Position = std::list<Journey>::iterator;
using Phase = Journey::Phase;
using Pending = SimulatedGuest::Pending;

// From then on nobody can take the guest back who does not know what became of it at the target.
bool isHandedOver(const Journey& journey) {
  return journey.phase == Phase::HandedOver || journey.phase == Phase::Arrived;
}

bool mayBeCancelled(const Journey& journey) {
  return journey.phase == Phase::Preparing || journey.phase == Phase::Copying;
}

void end(FabricState& fabric, Position journey, Result<> outcome) {
  if (journey->ended)
    fabric.outbox.emplace_back([ended = std::move(journey->ended), outcome = std::move(outcome)] { ended(outcome); });
  tell(*journey->source, journey->order.domain);
  tell(*journey->target, journey->order.domain);
  fabric.journeys.erase(journey);
}

// The target's half of a failed move. A daemon that cannot act now acts when it can again.
void abandonArrival(const Journey& journey, Pending whenItGoesOn) {
  SimulatedGuest* const guest = journey.target->find(journey.order.domain);
  if (journey.phase == Phase::Preparing || !guest || guest->state != RunState::InTransit) return;
  if (journey.target->answers())
    journey.target->guests.erase(journey.order.domain);
  else
    guest->pending = whenItGoesOn;
}

void giveBack(const Journey& journey) {
  SimulatedGuest* const guest = journey.source->find(journey.order.domain);
  if (guest && guest->state == RunState::InTransit) guest->state = RunState::Running;
}

void rollBack(FabricState& fabric, Position journey, Code code, const char* why) {
  giveBack(*journey);
  abandonArrival(*journey, Pending::Removal);
  end(fabric, journey, fail(code, why));
}

void arrive(SimulatedHost& host, const std::string& domain) {
  host.find(domain)->state = RunState::Running;
  host.arrivals.insert(domain);
  tell(host, domain);
}

// The order to let the guest run has been sent, whoever else is gone by now.
void arriveSomeDay(const Journey& journey) {
  SimulatedGuest* const guest = journey.target->find(journey.order.domain);
  if (journey.phase != Phase::HandedOver || !guest) return;
  if (journey.target->answers())
    arrive(*journey.target, journey.order.domain);
  else
    guest->pending = Pending::Arrival;
}

// The client has lost the target, and knows nothing; the source's copy stays shut out.
void loseSight(FabricState& fabric, Position journey, const char* why) {
  end(fabric, journey, fail(Code::Unavailable, why));
}

// The client has died: what was its next word nobody says.
void loseClient(FabricState& fabric, Position journey, Random& random) {
  if (journey->phase == Phase::HandedOver && random.chance(2))
    arriveSomeDay(*journey);
  else
    abandonArrival(*journey, Pending::Removal);
  if (!isHandedOver(*journey) && (journey->phase != Phase::SwitchingOver || random.chance(2))) giveBack(*journey);
  loseSight(fabric, journey, "the client is gone");
}

// What a target refuses before anything has moved; null when it takes the guest.
const char* refusal(const FabricState& fabric, const Journey& journey, const SimulatedGuest& guest) {
  if (journey.target->find(guest.spec.name)) return "the domain is already there";
  for (const DiskState& disk : guest.disks) {
    const auto copy = journey.order.copyDisks.find(disk.target);
    const bool copied = copy != journey.order.copyDisks.end();
    const auto* there = fabric.images.find(journey.target->name, copied ? copy->second.path : disk.source.path);
    if (!there) return "the disk is not there";
    const auto* here = fabric.images.find(journey.source->name, disk.source.path);
    if (copied && here && here->size() != there->size()) return "source and target image have different sizes";
  }
  return nullptr;
}

SimulatedGuest arriving(const SimulatedGuest& leaving, const MigrationOrder& order) {
  SimulatedGuest guest = leaving;
  guest.state = RunState::InTransit;
  guest.spec.consoleFile = order.targetConsoleFile;
  for (DiskState& disk : guest.disks)
    if (const auto copy = order.copyDisks.find(disk.target); copy != order.copyDisks.end()) disk.source = copy->second;
  return guest;
}

void prepare(FabricState& fabric, Position journey) {
  const SimulatedGuest& guest = *journey->source->find(journey->order.domain);
  if (const char* why = refusal(fabric, *journey, guest)) return end(fabric, journey, fail(Code::Invalid, why));
  MigrationProgress& progress = journey->progress;
  progress.memoryTotal = progress.memoryRemaining = guest.spec.memoryBytes;
  for (const auto& [disk, destination] : journey->order.copyDisks) {
    const std::int64_t size = fabric.images.find(journey->target->name, destination.path)->size();
    progress.disks.push_back({.target = disk, .bytesTotal = size});
    progress.disksTotal += size;
  }
  journey->target->guests[guest.spec.name] = arriving(guest, journey->order);
  journey->phase = Phase::Copying;
  tell(*journey->target, guest.spec.name);
}

bool imagesAreThere(const FabricState& fabric, const Journey& journey) {
  const auto& copies = journey.order.copyDisks;
  return std::all_of(copies.begin(), copies.end(), [&](const auto& copy) {
    return fabric.images.find(journey.target->name, copy.second.path) != nullptr;
  });
}

// Moves up to `budget` bytes of the disks; what is left of the budget.
std::int64_t copyDisks(FabricState& fabric, Journey& journey, std::int64_t budget) {
  const SimulatedGuest& guest = *journey.source->find(journey.order.domain);
  for (DiskProgress& copied : journey.progress.disks) {
    const auto disk = std::find_if(guest.disks.begin(), guest.disks.end(),
                                   [&](const DiskState& candidate) { return candidate.target == copied.target; });
    const SimulatedImage& from = *fabric.images.find(journey.source->name, disk->source.path);
    SimulatedImage& to = *fabric.images.find(journey.target->name, journey.order.copyDisks.at(copied.target).path);
    const std::int64_t moved = std::min(budget, to.size() - copied.bytesDone);
    to.copyFrom(from, copied.bytesDone, copied.bytesDone + moved);
    copied.bytesDone += moved;
    journey.progress.disksDone += moved;
    budget -= moved;
  }
  return budget;
}

// Whether all memory is over there but what the guest changes meanwhile; that goes when it has stopped.
bool copyMemory(MigrationProgress& progress, const SimulatedGuest& guest, std::int64_t budget) {
  const std::int64_t moved = std::min(budget, progress.memoryRemaining);
  progress.memoryRemaining -= moved;
  progress.memorySent += moved;
  const bool allButTheLast = progress.memoryRemaining == 0;
  const std::int64_t dirtied = guest.state == RunState::Running && moved > 0 ? guest.dirtyBytes : 0;
  progress.memoryRemaining = std::min(progress.memoryRemaining + dirtied, progress.memoryTotal);
  progress.dirtyBytesPerSecond = dirtied;
  progress.iteration = progress.memorySent > 0 ? 1 + progress.memorySent / progress.memoryTotal : 0;
  return allButTheLast;
}

// The source stops, and its state goes over whole.
void switchOver(Journey& journey) {
  SimulatedGuest& leaving = *journey.source->find(journey.order.domain);
  leaving.state = RunState::InTransit;
  journey.target->find(journey.order.domain)->newestRecord = leaving.newestRecord;
  journey.phase = Phase::SwitchingOver;
  tell(*journey.source, journey.order.domain);
}

void copy(FabricState& fabric, Position journey, Random& random) {
  if (!imagesAreThere(fabric, *journey)) return rollBack(fabric, journey, Code::Invalid, "the disk is not there");
  MigrationProgress& progress = journey->progress;
  const std::int64_t all = progress.disksTotal + progress.memoryTotal;
  const auto slowness = static_cast<std::int64_t>(1 + random.below(6));
  const std::int64_t limit = journey->order.tuning.bandwidthBytesPerSecond;
  const std::int64_t left = copyDisks(fabric, *journey, limit ? limit : all / slowness + 1);
  const SimulatedGuest& guest = *journey->source->find(journey->order.domain);
  if (copyMemory(progress, guest, left) && journey->disksAreCopied()) switchOver(*journey);
}

void goOnAtTarget(Journey& journey) {
  arrive(*journey.target, journey.order.domain);
  journey.phase = Phase::Arrived;
}

void confirm(FabricState& fabric, Position journey) {
  journey->source->guests.erase(journey->order.domain);
  end(fabric, journey, {});
}

// Memory flows from QEMU to QEMU; only the end takes both daemons.
void follow(FabricState& fabric, Position journey) {
  MigrationProgress& progress = journey->progress;
  const std::int64_t limit = journey->order.tuning.bandwidthBytesPerSecond;
  const std::int64_t moved = std::min(limit ? limit : progress.memoryTotal / 2 + 1, progress.memoryRemaining);
  progress.memoryRemaining -= moved;
  progress.memorySent += moved;
  if (progress.memoryRemaining == 0 && journey->source->answers() && journey->target->answers())
    confirm(fabric, journey);
}

// Nothing is left of a guest whose memory is in two places when one of them is gone; the source's half stands there.
void tearApart(FabricState& fabric, Position journey) {
  journey->target->guests.erase(journey->order.domain);
  end(fabric, journey, fail(Code::Unavailable, "the other half of the memory is gone"));
}

// Calls `lose` for every journey that touches the host; it may take the journey off the list.
template <class Lose>
void eachOf(FabricState& fabric, const SimulatedHost& host, Lose lose) {
  for (auto journey = fabric.journeys.begin(); journey != fabric.journeys.end();) {
    const auto current = journey++;
    if (current->source == &host || current->target == &host) lose(current);
  }
}

void loseSourceDaemon(FabricState& fabric, Position journey) {
  SimulatedGuest* const guest = journey->source->find(journey->order.domain);
  if (isHandedOver(*journey)) {
    arriveSomeDay(*journey);
  } else {
    if (guest && guest->state == RunState::InTransit) guest->pending = Pending::Resumption;
    abandonArrival(*journey, Pending::Removal);
  }
  end(fabric, journey, fail(Code::Unavailable, "the source's daemon is gone"));
}

void loseTargetDaemon(FabricState& fabric, Position journey) {
  constexpr const char* kWhy = "the target's daemon is gone";
  if (!isHandedOver(*journey)) return rollBack(fabric, journey, Code::Unavailable, kWhy);
  abandonArrival(*journey, Pending::Removal);
  loseSight(fabric, journey, kWhy);
}

}  // namespace

void leaveBehind(Journey& journey, SimulatedGuest& leaving) {
  leaving.state = RunState::LeftBehind;
  SimulatedGuest& arriving = *journey.target->find(journey.order.domain);
  arriving.newestRecord = leaving.newestRecord;
  arriving.state = RunState::Running;
  journey.phase = Phase::Following;
  tell(*journey.source, journey.order.domain);
  tell(*journey.target, journey.order.domain);
}

void advance(FabricState& fabric, Position journey, Random& random) {
  if (journey->phase == Phase::Following) return follow(fabric, journey);
  if (!journey->order.postCopy && journey->client.expired()) return loseClient(fabric, journey, random);
  if (journey->cancelled && mayBeCancelled(*journey))
    return rollBack(fabric, journey, Code::Gone, "canceled by client");
  if (journey->source->daemon == SimulatedHost::Daemon::Stalled) return;
  constexpr unsigned kKeepAliveSteps = 6;
  const bool linked = fabric.linked(journey->source->name, journey->target->name);
  const bool targetAnswers = linked && journey->target->answers();
  if (!targetAnswers && random.chance(kKeepAliveSteps)) {
    constexpr const char* kWhy = "the target does not answer";
    if (!isHandedOver(*journey)) return rollBack(fabric, journey, Code::Unavailable, kWhy);
    // A target that has only stalled still finds the order in its queue.
    if (journey->target->daemon == SimulatedHost::Daemon::Stalled || random.chance(2))
      arriveSomeDay(*journey);
    else
      abandonArrival(*journey, Pending::Removal);
    return loseSight(fabric, journey, kWhy);
  }
  // Memory and disks flow from QEMU to QEMU; everything else takes a daemon on each side.
  if (random.chance(3) || !linked || (!targetAnswers && journey->phase != Phase::Copying)) return;
  switch (journey->phase) {
    case Phase::Preparing:
      return prepare(fabric, journey);
    case Phase::Copying:
      return copy(fabric, journey, random);
    case Phase::SwitchingOver:
      journey->phase = Phase::HandedOver;
      return;
    case Phase::HandedOver:
      return goOnAtTarget(*journey);
    case Phase::Following:
      return follow(fabric, journey);
    case Phase::Arrived:
      return confirm(fabric, journey);
  }
}

void loseDaemon(FabricState& fabric, SimulatedHost& host) {
  eachOf(fabric, host, [&](Position journey) {
    if (journey->phase == Phase::Following) return;
    journey->source == &host ? loseSourceDaemon(fabric, journey) : loseTargetDaemon(fabric, journey);
  });
}

void losePower(FabricState& fabric, SimulatedHost& host) {
  host.guests.clear();
  eachOf(fabric, host, [&](Position journey) {
    if (journey->phase == Phase::Following) return tearApart(fabric, journey);
    if (journey->target == &host && !isHandedOver(*journey))
      return rollBack(fabric, journey, Code::Unavailable, "the target is gone");
    if (isHandedOver(*journey))
      arriveSomeDay(*journey);
    else
      abandonArrival(*journey, Pending::Removal);
    end(fabric, journey, fail(Code::Unavailable, "a host is gone"));
  });
}

void loseGuest(FabricState& fabric, SimulatedHost& host, const std::string& domain) {
  eachOf(fabric, host, [&](Position journey) {
    if (journey->order.domain != domain) return;
    if (journey->phase == Phase::Following) return tearApart(fabric, journey);
    if (!isHandedOver(*journey)) return rollBack(fabric, journey, Code::Internal, "the guest is gone");
    // What is handed over needs the source no longer.
    if (journey->target == &host) loseSight(fabric, journey, "the guest is gone");
  });
}

}  // namespace godwit::hypervisor::simulated
