#include "hypervisor/simulated/client.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "hypervisor/simulated/fabric.hpp"
#include "hypervisor/simulated/journey.hpp"

namespace godwit::hypervisor::simulated {

Journey* SimulatedClient::departure(const std::string& domain) {
  Journey* const journey = fabric_.findJourney(host_, domain);
  return journey && journey->source == &host_ ? journey : nullptr;
}

Result<Journey> SimulatedClient::plan(const MigrationOrder& order) {
  const SimulatedGuest* const guest = TRY(find(order.domain));
  if (guest->state != RunState::Running) return fail(Code::Conflict, fmt::format("{} does not run", order.domain));
  if (departure(order.domain)) return fail(Code::Conflict, fmt::format("{} is already on its way", order.domain));
  for (const DiskState& disk : guest->disks)
    if (disk.mirror) return fail(Code::Conflict, fmt::format("a disk of {} is being copied", order.domain));
  for (const auto& [disk, destination] : order.copyDisks) TRY(findDisk(order.domain, disk));
  Journey journey{.order = order, .source = &host_, .client = listener_, .ended = {}, .progress = {}};
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

Result<> SimulatedClient::tune(const std::string& domain, const Tuning& tuning) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (Journey* const journey = departure(domain)) {
    journey->order.tuning = tuning;
    return {};
  }
  const auto isMirrored = [](const DiskState& disk) { return disk.mirror.has_value(); };
  if (std::none_of(guest->disks.begin(), guest->disks.end(), isMirrored))
    return fail(Code::Conflict, fmt::format("nothing of {} is being copied", domain));
  guest->mirrorBandwidth = tuning.bandwidthBytesPerSecond;
  return {};
}

Result<> SimulatedClient::hold(const std::string& domain) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (!departure(domain)) return fail(Code::Conflict, fmt::format("{} is not on its way", domain));
  guest->state = RunState::InTransit;
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::startPostCopy(const std::string& domain) {
  SimulatedGuest* const guest = TRY(find(domain));
  Journey* const journey = departure(domain);
  const bool possible = journey && journey->order.postCopy && journey->phase == Journey::Phase::Copying &&
                        journey->progress.memorySent > 0;
  if (!possible) return fail(Code::Conflict, fmt::format("no memory of {} is on its way", domain));
  leaveBehind(*journey, *guest);
  return {};
}

Result<> SimulatedClient::cancelMigration(const std::string& domain) {
  TRY(reach());
  if (Journey* const journey = departure(domain)) journey->cancelled = true;
  return {};
}

// The machine's own knowledge, for which no daemon is asked.
bool SimulatedClient::isShutOut(const std::string& domain) {
  const SimulatedGuest* const guest = host_.find(domain);
  return guest && guest->state == RunState::InTransit && guest->pending == SimulatedGuest::Pending::Nothing &&
         !fabric_.findJourney(host_, domain);
}

Result<Fencing> SimulatedClient::fence(const std::string& domain) {
  TRY(reach());
  const SimulatedGuest* const guest = host_.find(domain);
  if (!guest) return Fencing::Fenced;
  switch (guest->state) {
    case RunState::Running:
      return Fencing::StillRunning;
    case RunState::Paused:
    case RunState::LeftBehind:
      return fail(Code::Conflict, fmt::format("{} stands still, and not because of a migration", domain));
    case RunState::InTransit:
      remove(domain);
      return Fencing::Fenced;
  }
  __builtin_unreachable();
}

}  // namespace godwit::hypervisor::simulated
