#include "hypervisor/simulated/fabric.hpp"

#include <utility>

#include <fmt/format.h>

#include "hypervisor/simulated/client.hpp"
#include "hypervisor/simulated/journey.hpp"
#include "hypervisor/simulated/state.hpp"

namespace godwit::hypervisor::simulated {

namespace {

using Daemon = SimulatedHost::Daemon;
using Pending = SimulatedGuest::Pending;

// What the daemon does first when it is started again, or goes on.
void settlePending(SimulatedHost& host) {
  for (auto entry = host.guests.begin(); entry != host.guests.end();) {
    auto& [name, guest] = *entry;
    tell(host, name);
    switch (std::exchange(guest.pending, Pending::Nothing)) {
      case Pending::Nothing:
        break;
      case Pending::Resumption:
        guest.state = RunState::Running;
        break;
      case Pending::Arrival:
        guest.state = RunState::Running;
        host.arrivals.insert(name);
        break;
      case Pending::Removal:
        entry = host.guests.erase(entry);
        continue;
    }
    ++entry;
  }
}

void advanceMirror(FabricState& fabric, const SimulatedHost& host, DiskState& disk, std::int64_t limit,
                   Random& random) {
  Mirror& mirror = *disk.mirror;
  const SimulatedImage* const from = fabric.images.find(host.name, disk.source.path);
  SimulatedImage* const to = fabric.images.find(host.name, mirror.destination.path);
  if (!from || !to) return disk.mirror.reset();
  const auto slowness = static_cast<std::int64_t>(2 + random.below(4));
  const std::int64_t most = limit ? limit : mirror.bytesTotal / slowness + 1;
  mirror.bytesDone = std::min(mirror.bytesDone + most, mirror.bytesTotal);
  if (mirror.bytesDone < mirror.bytesTotal) return;
  // What the guest has written in the meantime is copied once more.
  to->copyFrom(*from, 0, mirror.bytesTotal);
  mirror.ready = true;
}

void advanceMirrors(FabricState& fabric, SimulatedHost& host, SimulatedGuest& guest, Random& random) {
  for (DiskState& disk : guest.disks) {
    if (!disk.mirror || disk.mirror->hasCaughtUp() || random.chance(3)) continue;
    const bool wasReady = disk.mirror->ready;
    advanceMirror(fabric, host, disk, guest.mirrorBandwidth, random);
    if (!disk.mirror || disk.mirror->ready != wasReady) tell(host, guest.spec.name);
  }
}

// Guests that were asked to shut down, and can, do so.
void letGo(FabricState& fabric, SimulatedHost& host) {
  for (auto entry = host.guests.begin(); entry != host.guests.end();) {
    const auto& [name, guest] = *entry;
    if (!guest.askedToShutDown || guest.state != RunState::Running || fabric.findJourney(host, name)) {
      ++entry;
      continue;
    }
    host.endings[name] = Ending::PoweredOff;
    tell(host, name);
    entry = host.guests.erase(entry);
  }
}

// Adds a call for each listener of the host and each name about which there is something to tell.
void announce(const FabricState& fabric, SimulatedHost& host, std::vector<std::function<void()>>& calls) {
  for (const std::string& name : std::exchange(host.untold, {}))
    for (const auto& listening : fabric.listeners)
      calls.emplace_back([listening, name, hostName = host.name] {
        const auto listener = listening.lock();
        if (listener && listener->host == hostName && listener->changed) listener->changed(name);
      });
}

// Where a guest's write goes: the disk itself, and the copy a migration makes of it.
std::vector<SimulatedImage*> imagesBehind(FabricState& fabric, SimulatedHost& host, const std::string& domain,
                                          const DiskState& disk) {
  std::vector<SimulatedImage*> images = {fabric.images.find(host.name, disk.source.path)};
  const Journey* const journey = fabric.findJourney(host, domain);
  if (!journey || journey->source != &host || journey->phase != Journey::Phase::Copying) return images;
  if (const auto copy = journey->order.copyDisks.find(disk.target); copy != journey->order.copyDisks.end())
    images.push_back(fabric.images.find(journey->target->name, copy->second.path));
  return images;
}

}  // namespace

SimulatedFabric::SimulatedFabric() : state_(std::make_unique<FabricState>()) {}
SimulatedFabric::~SimulatedFabric() = default;

void SimulatedFabric::addHost(const std::string& name) { state_->hosts[name].name = name; }

SimulatedHost& SimulatedFabric::host(const std::string& name) {
  const auto found = state_->hosts.find(name);
  ENSURE(found != state_->hosts.end(), "faults happen to hosts that were added");
  return found->second;
}

Result<std::unique_ptr<Hypervisor>> SimulatedFabric::connect(const std::string& uri) {
  for (auto& [name, host] : state_->hosts)
    if (uriOf(name) == uri) return std::make_unique<SimulatedClient>(*state_, host);
  return fail(Code::NotFound, fmt::format("there is no host at {}", uri));
}

void SimulatedFabric::createImage(const std::string& host, const std::string& path, std::int64_t size) {
  state_->images.create(host, path, size);
}

void SimulatedFabric::growImage(const std::string& host, const std::string& path, std::int64_t size) {
  if (SimulatedImage* const image = state_->images.find(host, path)) image->grow(size);
}

void SimulatedFabric::removeImage(const std::string& host, const std::string& path) {
  state_->images.remove(host, path);
}

std::optional<SimulatedFabric::ImageContent> SimulatedFabric::inspectImage(const std::string& host,
                                                                           const std::string& path) const {
  const SimulatedImage* const image = std::as_const(state_->images).find(host, path);
  if (!image) return std::nullopt;
  return ImageContent{.size = image->size(), .newestRecord = image->newestRecord(), .whole = image->isWhole()};
}

Result<std::optional<std::int64_t>> SimulatedFabric::firstDifference(const std::string& host, const std::string& left,
                                                                     const std::string& right, std::int64_t from,
                                                                     std::int64_t to) const {
  const SimulatedImage* const one = std::as_const(state_->images).find(host, left);
  const SimulatedImage* const other = std::as_const(state_->images).find(host, right);
  if (!one || !other) return fail(Code::NotFound, fmt::format("{} cannot be read", one ? right : left));
  return one->firstDifference(*other, from, to);
}

void SimulatedFabric::spoilImage(const std::string& host, const std::string& path) {
  if (SimulatedImage* const image = state_->images.find(host, path))
    image->copyFrom(SimulatedImage(image->size()), 0, image->size());
}

void SimulatedFabric::letDirty(const std::string& domain, std::int64_t bytes) {
  for (auto& [name, host] : state_->hosts)
    if (SimulatedGuest* const guest = host.find(domain)) guest->dirtyBytes = bytes;
}

void SimulatedFabric::setFeatures(const std::string& name, std::set<std::string> features) {
  host(name).features = std::move(features);
}

void SimulatedFabric::cutPower(const std::string& name) {
  host(name).powered = false;
  losePower(*state_, host(name));
  host(name).untold.clear();
}

void SimulatedFabric::restorePower(const std::string& name) {
  if (std::exchange(host(name).powered, true)) return;
  host(name).daemon = Daemon::Up;
}

void SimulatedFabric::killDaemon(const std::string& name) {
  if (!host(name).powered || std::exchange(host(name).daemon, Daemon::Down) == Daemon::Down) return;
  host(name).secrets.clear();
  for (auto& [domain, guest] : host(name).guests)
    if (guest.pending == Pending::Arrival) guest.pending = Pending::Removal;
  loseDaemon(*state_, host(name));
  host(name).untold.clear();
}

void SimulatedFabric::startDaemon(const std::string& name) {
  if (!host(name).powered || host(name).daemon != Daemon::Down) return;
  host(name).daemon = Daemon::Up;
  settlePending(host(name));
}

void SimulatedFabric::stallDaemon(const std::string& name) {
  if (host(name).answers()) host(name).daemon = Daemon::Stalled;
}

void SimulatedFabric::continueDaemon(const std::string& name) {
  if (!host(name).powered || host(name).daemon != Daemon::Stalled) return;
  host(name).daemon = Daemon::Up;
  settlePending(host(name));
}

void SimulatedFabric::cutLink(const std::string& one, const std::string& other) {
  state_->cutLinks.insert({host(one).name, host(other).name});
}

void SimulatedFabric::mendLinks() { state_->cutLinks.clear(); }

bool SimulatedFabric::linked(const std::string& one, const std::string& other) const {
  return state_->linked(one, other);
}

void SimulatedFabric::step(Random& random) {
  ++state_->steps;
  for (auto& [hostName, host] : state_->hosts) letGo(*state_, host);
  for (auto& [hostName, host] : state_->hosts)
    for (auto& [name, guest] : host.guests)
      if (guest.state == RunState::Running) runGuest(host, name);
  for (auto& [hostName, host] : state_->hosts)
    for (auto& [name, guest] : host.guests) advanceMirrors(*state_, host, guest, random);
  for (auto journey = state_->journeys.begin(); journey != state_->journeys.end();) advance(*state_, journey++, random);
  deliver();
}

void SimulatedFabric::runGuest(SimulatedHost& host, const std::string& name) {
  SimulatedGuest& guest = *host.find(name);
  if (guest.disks.empty()) return;
  const std::uint64_t record = guest.newestRecord + 1;
  const std::string writer = host.name + "/" + name;
  for (DiskState& disk : guest.disks) {
    if (disk.mirror && disk.mirror->hasCaughtUp()) --disk.mirror->bytesDone;
    for (SimulatedImage* const image : imagesBehind(*state_, host, name, disk)) {
      if (!image) {
        state_->violations.push_back(fmt::format("{} writes to a disk that is gone", writer));
        continue;
      }
      if (image->writtenAt == state_->steps && image->writer != writer)
        state_->violations.push_back(fmt::format("{} and {} write {}", writer, image->writer, disk.source.path));
      image->writer = writer;
      image->writtenAt = state_->steps;
      image->write(record);
    }
  }
  std::uint64_t& acknowledged = state_->acknowledged[guest.spec.uuid];
  if (record <= acknowledged)
    state_->violations.push_back(fmt::format("{} writes record {} after {}", writer, record, acknowledged));
  acknowledged = std::max(acknowledged, record);
  guest.newestRecord = record;
}

void SimulatedFabric::deliver() {
  // Clients may do anything in their callbacks, so what is to be said is gathered first.
  auto calls = std::exchange(state_->outbox, {});
  std::erase_if(state_->listeners, [](const auto& listening) { return listening.expired(); });
  for (auto& [name, host] : state_->hosts)
    if (host.answers()) announce(*state_, host, calls);
  for (const auto& call : calls) call();
}

bool SimulatedFabric::has(const std::string& host, const std::string& domain) const {
  return state_->hosts.at(host).guests.contains(domain);
}

int SimulatedFabric::runningCopies(const std::string& domain) const {
  int copies = 0;
  for (auto& [hostName, host] : state_->hosts)
    if (const auto* guest = host.find(domain); guest && guest->state == RunState::Running) ++copies;
  return copies;
}

std::optional<std::uint64_t> SimulatedFabric::newestRecord(const std::string& domain) const {
  for (auto& [hostName, host] : state_->hosts)
    if (const auto* guest = host.find(domain); guest && guest->state == RunState::Running) return guest->newestRecord;
  return std::nullopt;
}

std::uint64_t SimulatedFabric::acknowledgedRecord(const std::string& uuid) const {
  const auto found = state_->acknowledged.find(uuid);
  return found == state_->acknowledged.end() ? 0 : found->second;
}

const std::vector<std::string>& SimulatedFabric::violations() const { return state_->violations; }

}  // namespace godwit::hypervisor::simulated
