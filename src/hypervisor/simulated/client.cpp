#include "hypervisor/simulated/client.hpp"

#include <utility>

#include <fmt/format.h>

#include "hypervisor/simulated/journey.hpp"

namespace godwit::hypervisor::simulated {

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

DomainState SimulatedClient::stateOf(const SimulatedGuest& guest) {
  const Journey* const journey = departure(guest.spec.name);
  return {.name = guest.spec.name,
          .uuid = guest.spec.uuid,
          .owner = guest.spec.owner,
          .memoryBytes = guest.spec.memoryBytes,
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

Result<RunState> SimulatedClient::runStateOf(const std::string& domain) {
  const auto found = find(domain);
  if (found) return (*found)->state;
  const bool wentOn = found.error().code == Code::NotFound && host_.arrivals.contains(domain);
  return wentOn ? fail(Code::Gone, fmt::format("{} has ended", domain)) : fail(found.error());
}

Result<> SimulatedClient::forgetArrival(const std::string& domain) {
  TRY(reach());
  host_.arrivals.erase(domain);
  return {};
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
  host_.arrivals.erase(spec.name);
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
  if (guest->state == RunState::InTransit || guest->state == RunState::LeftBehind || fabric_.findJourney(host_, domain))
    return fail(Code::Conflict, fmt::format("a migration of {} is under way", domain));
  guest->state = RunState::Paused;
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::resume(const std::string& domain) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (guest->state == RunState::LeftBehind ||
      (guest->state == RunState::InTransit && fabric_.findJourney(host_, domain)))
    return fail(Code::Conflict, fmt::format("a migration of {} is under way", domain));
  guest->state = RunState::Running;
  tell(host_, domain);
  return {};
}

}  // namespace godwit::hypervisor::simulated
