#include "hypervisor/simulated/client.hpp"

#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "hypervisor/simulated/fabric.hpp"
#include "hypervisor/simulated/journey.hpp"

namespace godwit::hypervisor::simulated {

namespace {

class SimulatedClient final : public Hypervisor {
 public:
  SimulatedClient(FabricState& fabric, SimulatedHost& host)
      : fabric_(fabric), host_(host), listener_(std::make_shared<SimulatedListener>(SimulatedListener{host.name, {}})) {
    fabric_.listeners.push_back(listener_);
  }

  Result<Processors> processors() override;
  Result<std::vector<DomainState>> list() override;
  Result<DomainState> describe(const std::string& domain) override;
  Result<> keepSecret(Protocol protocol, const std::string& name, const std::string& password) override;
  Result<> start(const DomainSpec& spec) override;
  Result<> destroy(const std::string& domain) override;
  Result<> shutdown(const std::string& domain) override;
  Ending endingOf(const std::string& domain) override;
  Result<> pause(const std::string& domain) override;
  Result<> resume(const std::string& domain) override;
  Result<> attachDisk(const std::string& domain, const Disk& disk) override;
  Result<> detachDisk(const std::string& domain, const std::string& disk) override;
  Result<> beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination) override;
  Result<> pivot(const std::string& domain, const std::string& disk) override;
  Result<> cancelCopy(const std::string& domain, const std::string& disk) override;
  Result<std::int64_t> diskSize(const std::string& domain, const std::string& disk) override;
  Result<> resize(const std::string& domain, const std::string& disk, std::int64_t bytes) override;
  Result<std::string> processorOf(const std::string& domain) override;
  Result<std::vector<std::string>> lackingFeatures(const std::string& processor) override;
  Result<> beginMigration(const MigrationOrder& order, std::function<void(Result<>)> ended) override;
  Result<> cancelMigration(const std::string& domain) override;
  Result<Fencing> fence(const std::string& domain) override;
  Result<> thaw(const std::string&) override { return reach(); }  // a fence is one step here
  void whenChanged(std::function<void(const std::string&)> changed) override {
    listener_->changed = std::move(changed);
  }

 private:
  Result<> reach() const;
  Result<SimulatedGuest*> find(const std::string& domain);
  Result<DiskState*> findDisk(const std::string& domain, const std::string& disk);
  // A disk with which nothing else is under way.
  Result<DiskState*> findIdleDisk(const std::string& domain, const std::string& disk);
  Result<SimulatedImage*> imageOf(const DiskState& disk);
  // Of this host's guest, to elsewhere; null when there is none.
  Journey* departure(const std::string& domain);
  Result<Journey> plan(const MigrationOrder& order);
  DomainState stateOf(const SimulatedGuest& guest);
  void remove(const std::string& domain);

  FabricState& fabric_;
  SimulatedHost& host_;
  std::shared_ptr<SimulatedListener> listener_;
};

Result<> SimulatedClient::reach() const {
  if (!host_.powered || host_.daemon == SimulatedHost::Daemon::Down)
    return fail(Code::Unavailable, fmt::format("the daemon of {} is not there", host_.name));
  if (host_.daemon == SimulatedHost::Daemon::Stalled)
    return fail(Code::Timeout, fmt::format("the daemon of {} does not answer", host_.name));
  return {};
}

Result<SimulatedGuest*> SimulatedClient::find(const std::string& domain) {
  TRY(reach());
  if (SimulatedGuest* const guest = host_.find(domain)) return guest;
  return fail(Code::NotFound, fmt::format("{} is not on {}", domain, host_.name));
}

Result<DiskState*> SimulatedClient::findDisk(const std::string& domain, const std::string& disk) {
  SimulatedGuest* const guest = TRY(find(domain));
  for (DiskState& candidate : guest->disks)
    if (candidate.target == disk) return &candidate;
  return fail(Code::NotFound, fmt::format("{} has no disk {}", domain, disk));
}

Result<DiskState*> SimulatedClient::findIdleDisk(const std::string& domain, const std::string& disk) {
  DiskState* const found = TRY(findDisk(domain, disk));
  if (found->mirror) return fail(Code::Conflict, fmt::format("{} is already being copied", disk));
  if (departure(domain)) return fail(Code::Conflict, fmt::format("{} is on its way", domain));
  return found;
}

Result<SimulatedImage*> SimulatedClient::imageOf(const DiskState& disk) {
  if (SimulatedImage* const image = fabric_.images.find(host_.name, disk.source.path)) return image;
  return fail(Code::Internal, fmt::format("{} is gone", disk.source.path));
}

Journey* SimulatedClient::departure(const std::string& domain) {
  Journey* const journey = fabric_.findJourney(host_, domain);
  return journey && journey->source == &host_ ? journey : nullptr;
}

DomainState SimulatedClient::stateOf(const SimulatedGuest& guest) {
  const Journey* const journey = departure(guest.spec.name);
  return {.name = guest.spec.name,
          .uuid = guest.spec.uuid,
          .owner = guest.spec.owner,
          .state = guest.state,
          .disks = guest.disks,
          .outgoing = journey ? std::optional(journey->progress) : std::nullopt};
}

void SimulatedClient::remove(const std::string& domain) {
  host_.guests.erase(domain);
  loseGuest(fabric_, host_, domain);
  tell(host_, domain);
}

Result<Processors> SimulatedClient::processors() {
  TRY(reach());
  return host_.processors;
}

Result<std::vector<DomainState>> SimulatedClient::list() {
  TRY(reach());
  std::vector<DomainState> states;
  for (const auto& [name, guest] : host_.guests) states.push_back(stateOf(guest));
  return states;
}

Result<DomainState> SimulatedClient::describe(const std::string& domain) {
  const SimulatedGuest* const guest = TRY(find(domain));
  return stateOf(*guest);
}

Result<> SimulatedClient::keepSecret(Protocol protocol, const std::string& name, const std::string& password) {
  TRY(reach());
  host_.secrets[{protocol, name}] = password;
  return {};
}

Result<> SimulatedClient::start(const DomainSpec& spec) {
  TRY(reach());
  if (host_.find(spec.name)) return fail(Code::AlreadyExists, fmt::format("{} is already here", spec.name));
  SimulatedGuest guest{.spec = spec, .state = spec.paused ? RunState::Paused : RunState::Running, .disks = {}};
  for (const Disk& disk : spec.disks) {
    const Remote& remote = disk.source.remote;
    if (remote.login && !host_.secrets.contains({remote.protocol, remote.login->secret}))
      return fail(Code::Internal, fmt::format("there is no secret {}", remote.login->secret));
    const SimulatedImage* const image = fabric_.images.find(host_.name, disk.source.path);
    if (!image) return fail(Code::Internal, fmt::format("cannot access storage file {}", disk.source.path));
    // The guest finds on its disk where it was.
    guest.newestRecord = std::max(guest.newestRecord, image->newestRecord());
    guest.disks.push_back({.target = disk.target, .source = disk.source, .mirror = {}});
  }
  guest.features = host_.features;
  host_.guests[spec.name] = std::move(guest);
  host_.endings.erase(spec.name);
  tell(host_, spec.name);
  return {};
}

Result<> SimulatedClient::destroy(const std::string& domain) {
  TRY(reach());
  if (host_.find(domain)) remove(domain);
  return {};
}

Result<> SimulatedClient::shutdown(const std::string& domain) {
  TRY(reach());
  if (SimulatedGuest* const guest = host_.find(domain)) guest->askedToShutDown = true;
  return {};
}

Ending SimulatedClient::endingOf(const std::string& domain) {
  const auto known = host_.endings.find(domain);
  return known == host_.endings.end() ? Ending::Unknown : known->second;
}

Result<> SimulatedClient::pause(const std::string& domain) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (guest->state == RunState::InTransit || fabric_.findJourney(host_, domain))
    return fail(Code::Conflict, fmt::format("a migration of {} is under way", domain));
  guest->state = RunState::Paused;
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::attachDisk(const std::string& domain, const Disk& disk) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (fabric_.findJourney(host_, domain)) return fail(Code::Conflict, fmt::format("{} is on its way", domain));
  for (const DiskState& attached : guest->disks)
    if (attached.target == disk.target)
      return attached.source.sameBytes(disk.source)
                 ? Result<>{}
                 : fail(Code::Conflict, fmt::format("{} has another disk {}", domain, disk.target));
  if (!fabric_.images.find(host_.name, disk.source.path))
    return fail(Code::Internal, fmt::format("cannot access storage file {}", disk.source.path));
  guest->disks.push_back({.target = disk.target, .source = disk.source, .mirror = {}});
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::detachDisk(const std::string& domain, const std::string& disk) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (fabric_.findJourney(host_, domain)) return fail(Code::Conflict, fmt::format("{} is on its way", domain));
  for (const DiskState& attached : guest->disks)
    if (attached.target == disk && attached.mirror)
      return fail(Code::Conflict, fmt::format("{} is being copied", disk));
  std::erase_if(guest->disks, [&](const DiskState& attached) { return attached.target == disk; });
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::resume(const std::string& domain) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (guest->state == RunState::InTransit && fabric_.findJourney(host_, domain))
    return fail(Code::Conflict, fmt::format("a migration of {} is under way", domain));
  guest->state = RunState::Running;
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination) {
  DiskState* const found = TRY(findIdleDisk(domain, disk));
  const SimulatedImage* const to = fabric_.images.find(host_.name, destination.path);
  const SimulatedImage* const from = fabric_.images.find(host_.name, found->source.path);
  if (!to || !from || to->size() != from->size())
    return fail(Code::Invalid, fmt::format("{} is not there at the size of {}", destination.path, disk));
  found->mirror = Mirror{.destination = destination, .bytesTotal = to->size()};
  return {};
}

Result<> SimulatedClient::pivot(const std::string& domain, const std::string& disk) {
  DiskState* const found = TRY(findDisk(domain, disk));
  if (!found->mirror) return fail(Code::NotFound, fmt::format("{} is not being copied", disk));
  if (!found->mirror->ready) return fail(Code::Conflict, fmt::format("the copy of {} is not ready", disk));
  found->source = found->mirror->destination;
  found->mirror.reset();
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::cancelCopy(const std::string& domain, const std::string& disk) {
  TRY(reach());
  if (!host_.find(domain)) return {};
  TRY(findDisk(domain, disk))->mirror.reset();
  tell(host_, domain);
  return {};
}

Result<std::int64_t> SimulatedClient::diskSize(const std::string& domain, const std::string& disk) {
  const DiskState* const found = TRY(findDisk(domain, disk));
  return TRY(imageOf(*found))->size();
}

Result<> SimulatedClient::resize(const std::string& domain, const std::string& disk, std::int64_t bytes) {
  const DiskState* const found = TRY(findIdleDisk(domain, disk));
  SimulatedImage* const image = TRY(imageOf(*found));
  if (bytes < image->size())
    return fail(Code::Invalid, fmt::format("{} has {} bytes, which is more than {}", disk, image->size(), bytes));
  image->grow(bytes);
  return {};
}

Result<Journey> SimulatedClient::plan(const MigrationOrder& order) {
  const SimulatedGuest* const guest = TRY(find(order.domain));
  if (guest->state != RunState::Running) return fail(Code::Conflict, fmt::format("{} does not run", order.domain));
  if (departure(order.domain)) return fail(Code::Conflict, fmt::format("{} is already on its way", order.domain));
  for (const DiskState& disk : guest->disks)
    if (disk.mirror) return fail(Code::Conflict, fmt::format("a disk of {} is being copied", order.domain));
  for (const auto& [disk, destination] : order.copyDisks) TRY(findDisk(order.domain, disk));
  Journey journey{.order = order, .source = &host_, .ended = {}, .progress = {}, .diskDone = {}};
  for (auto& [name, host] : fabric_.hosts)
    if (SimulatedFabric::uriOf(name) == order.targetUri && &host != &host_) journey.target = &host;
  if (!journey.target) return fail(Code::Invalid, fmt::format("there is no other host at {}", order.targetUri));
  return journey;
}

// One feature to a line.
Result<std::string> SimulatedClient::processorOf(const std::string& domain) {
  std::string processor;
  for (const std::string& feature : TRY(find(domain))->features) processor += feature + "\n";
  return processor;
}

Result<std::vector<std::string>> SimulatedClient::lackingFeatures(const std::string& processor) {
  TRY(reach());
  std::vector<std::string> lacking;
  std::istringstream lines(processor);
  for (std::string feature; std::getline(lines, feature);)
    if (!host_.features.contains(feature)) lacking.push_back(feature);
  return lacking;
}

Result<> SimulatedClient::beginMigration(const MigrationOrder& order, std::function<void(Result<>)> ended) {
  Journey journey = TRY(plan(order));
  journey.ended = [client = std::weak_ptr(listener_), ended = std::move(ended)](Result<> outcome) {
    if (client.lock()) ended(std::move(outcome));
  };
  fabric_.journeys.push_back(std::move(journey));
  return {};
}

Result<> SimulatedClient::cancelMigration(const std::string& domain) {
  TRY(reach());
  if (Journey* const journey = departure(domain)) journey->cancelled = true;
  return {};
}

Result<Fencing> SimulatedClient::fence(const std::string& domain) {
  TRY(reach());
  const SimulatedGuest* const guest = host_.find(domain);
  if (!guest) return Fencing::Fenced;
  switch (guest->state) {
    case RunState::Running:
      return Fencing::StillRunning;
    case RunState::Paused:
      return fail(Code::Conflict, fmt::format("{} stands still, and not because of a migration", domain));
    case RunState::InTransit:
      remove(domain);
      return Fencing::Fenced;
  }
  __builtin_unreachable();
}

}  // namespace

std::unique_ptr<Hypervisor> makeClient(FabricState& fabric, SimulatedHost& host) {
  return std::make_unique<SimulatedClient>(fabric, host);
}

}  // namespace godwit::hypervisor::simulated
