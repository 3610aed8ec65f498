#include <algorithm>
#include <utility>

#include "sim/processes.hpp"

// What strikes the simulated machines, and how they come back.
namespace godwit::sim {
namespace {

constexpr unsigned kLongestAgony = 8;  // requests that a process that is about to die still makes
constexpr unsigned kLoseOneIn = 40;

enum class Fault {
  ControllersDie,
  AgentDies,
  MoverDies,
  MoversDie,
  DaemonDies,
  DaemonStalls,
  LinkBreaks,
  DiskFills,
  ServerDies,
  AgentIsCutOff,
  ControllersAreCutOff,
  WatchesBreak,
  PowerFails,
  SomebodyCancels,
  SomebodyDeletesADisk,
};

constexpr std::pair<Fault, std::string_view> kFaults[] = {
    {Fault::ControllersDie, "controllers die"},
    {Fault::AgentDies, "agent dies"},
    {Fault::MoverDies, "mover dies"},
    {Fault::MoversDie, "movers die everywhere"},
    {Fault::DaemonDies, "libvirt daemon dies"},
    {Fault::DaemonStalls, "libvirt daemon stalls"},
    {Fault::LinkBreaks, "link to another node breaks"},
    {Fault::DiskFills, "disk fills"},
    {Fault::ServerDies, "server dies"},
    {Fault::AgentIsCutOff, "agent is cut off from the server"},
    {Fault::ControllersAreCutOff, "controllers are cut off from the server"},
    {Fault::WatchesBreak, "watches of the controllers break"},
    {Fault::PowerFails, "power fails"},
    {Fault::SomebodyCancels, "somebody cancels"},
    {Fault::SomebodyDeletesADisk, "somebody deletes a disk"},
};

}  // namespace

void Simulation::setFaults(bool on) {
  faults_ = on;
  while (!on && heal()) {
  }
  for (Line* line : lines()) line->loseOneIn(on ? kLoseOneIn : 0);
}

void Simulation::strike() {
  Node& node = *nodes_[random_.below(nodes_.size())];
  const auto& [fault, called] = kFaults[random_.below(std::size(kFaults))];
  exchange_.chronicle.tell({"strike:", called, node.name});
  switch (fault) {
    case Fault::ControllersDie:
      if (control_) control_->line().dieAfter(1 + static_cast<unsigned>(random_.below(kLongestAgony)));
      break;
    case Fault::AgentDies:
      if (node.agent) node.agent->line().dieAfter(1 + static_cast<unsigned>(random_.below(kLongestAgony)));
      break;
    case Fault::MoverDies:
      node.movers.crash(random_.next(), static_cast<unsigned>(random_.below(kLongestAgony)));
      break;
    case Fault::MoversDie:
      for (auto& other : nodes_) other->movers.crash(random_.next(), 0);
      break;
    case Fault::DaemonDies:
      fabric_.killDaemon(node.name);
      node.daemonUp = false;
      break;
    case Fault::DaemonStalls:
      fabric_.stallDaemon(node.name);
      node.daemonStalls = true;
      break;
    case Fault::LinkBreaks:
      fabric_.cutLink(node.name, hosts_[random_.below(hosts_.size())]);
      linksAreCut_ = true;
      break;
    case Fault::DiskFills:
      node.images.full = true;
      break;
    case Fault::AgentIsCutOff:
      if (node.agent) node.agent->line().cut();
      break;
    case Fault::ControllersAreCutOff:
      if (control_) control_->line().cut();
      break;
    case Fault::ServerDies:
      exchange_.server = nullptr;
      for (Line* line : lines()) line->breakStreams();
      server_.reset();
      break;
    case Fault::WatchesBreak:
      if (control_) control_->line().breakStreams();
      break;
    case Fault::PowerFails:
      // Rarely: a machine whose guest dies again and again is started ever later.
      if (random_.chance(3)) cutPower(node);
      break;
    case Fault::SomebodyCancels:
      cancelSomething();
      break;
    case Fault::SomebodyDeletesADisk:
      if (careless_) deleteSomeDisk();
      break;
  }
}

// Of the processes that live.
std::vector<Line*> Simulation::lines() {
  std::vector<Line*> all;
  if (control_) all.push_back(&control_->line());
  for (auto& node : nodes_)
    if (node->agent) all.push_back(&node->agent->line());
  return all;
}

void Simulation::cancelSomething() {
  if (!exchange_.server) return;
  const auto migrations = people_->list(schema::kind<kinds::VirtualMachineInstanceMigration>);
  if (!migrations) return;
  for (const auto& document : migrations->items) {
    const auto migration = schema::view<kinds::VirtualMachineInstanceMigration>(document);
    // Whoever is told that nobody knows where the data is does not throw away what would tell.
    const bool unknown = migration.status.godwit.reason == "OutcomeUnknown";
    if (!kinds::isFinal(migration.status.phase) && !unknown) (void)people_->remove(migration);
  }
}

// One thing that is down comes back, or whoever could bring it back tries; false when there is none.
bool Simulation::heal() {
  if (!exchange_.server) {
    restartServer();
    return true;
  }
  if (!control_) {
    control_ = std::make_unique<ControlPlane>(*this);
    control_->line().loseOneIn(faults_ ? kLoseOneIn : 0);
    return true;
  }
  for (Line* line : lines())
    if (line->isCut()) {
      line->mend();
      return true;
    }
  if (std::exchange(linksAreCut_, false)) {
    fabric_.mendLinks();
    return true;
  }
  return std::any_of(nodes_.begin(), nodes_.end(), [&](auto& node) { return heal(*node); });
}

bool Simulation::heal(Node& node) {
  if (!node.powered) {
    wake(node);
  } else if (std::exchange(node.images.full, false)) {
  } else if (std::exchange(node.daemonStalls, false)) {
    fabric_.continueDaemon(node.name);
  } else if (!std::exchange(node.daemonUp, true)) {
    fabric_.startDaemon(node.name);
  } else if (!node.agent) {
    node.agent = std::make_unique<Agent>(*this, node);
    node.agent->line().loseOneIn(faults_ ? kLoseOneIn : 0);
  } else {
    return false;
  }
  return true;
}

void Simulation::cutPower(Node& node) {
  fabric_.cutPower(node.name);
  node.agent.reset();
  node.movers.losePower();
  node.powered = false;
  node.daemonUp = true;
  node.daemonStalls = false;
}

// Somebody finds a node dead, and says so, or turns it on at once, as the dice say.
void Simulation::wake(Node& node) {
  if (random_.chance(2)) return sayDead(node.name);
  if (!takeBack(node.name)) return;
  fabric_.restorePower(node.name);
  node.powered = true;
}

}  // namespace godwit::sim
