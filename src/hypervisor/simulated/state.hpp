#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hypervisor/hypervisor.hpp"
#include "hypervisor/simulated/image.hpp"

// What a simulated fabric knows of itself; its rules are elsewhere.
namespace godwit::hypervisor::simulated {

struct SimulatedGuest {
  DomainSpec spec;
  RunState state = RunState::Running;
  std::vector<DiskState> disks;
  std::uint64_t newestRecord = 0;  // in its memory, so it travels along
  bool askedToShutDown = false;
  std::int64_t dirtyBytes = 0;          // of its memory that it changes in a step
  std::int64_t mirrorBandwidth = 0;     // bytes in a step; 0: no limit
  std::set<std::string> features = {};  // of its processor, for as long as it lives
  // What the daemon makes of the guest when it is started again, or goes on after a stall.
  enum class Pending { Nothing, Removal, Resumption, Arrival } pending = Pending::Nothing;
};

// One client's interest in a host; it ends with the client.
struct SimulatedListener {
  std::string host;
  std::function<void(const std::string&)> changed;
};

struct SimulatedHost {
  enum class Daemon { Up, Down, Stalled };

  std::string name;
  bool powered = true;
  Daemon daemon = Daemon::Up;
  std::set<std::string> features;  // of its processor
  std::map<std::string, SimulatedGuest> guests;
  std::set<std::string> arrivals;         // of guests that have gone on here, until they are forgotten
  std::map<std::string, Ending> endings;  // of guests that went by themselves
  std::vector<std::string> untold;        // names about which the listeners are still to hear

  Processors processors = {.vendor = "Godwit",
                           .hostModel = "Limosa",
                           .hostFeatures = {"wings"},
                           .models = {"Limosa", "Scolopax"},
                           .features = {"beak", "wings"}};
  std::map<std::pair<Protocol, std::string>, std::string> secrets;  // as the daemon was told them

  bool answers() const { return powered && daemon == Daemon::Up; }
  SimulatedGuest* find(const std::string& domain) {
    const auto found = guests.find(domain);
    return found == guests.end() ? nullptr : &found->second;
  }
};

// A migration on its way.
struct Journey {
  enum class Phase {
    Preparing,      // nothing is on the target yet
    Copying,        // disks, then memory; the source runs
    SwitchingOver,  // neither runs; the state is on its way
    HandedOver,     // the source is shut out, and the target told to let the guest run
    Following,      // the target runs; the rest of the memory is on its way
    Arrived,        // the target runs; the source does not know it yet
  };

  MigrationOrder order;
  SimulatedHost* source = nullptr;
  SimulatedHost* target = nullptr;
  std::weak_ptr<SimulatedListener> client = {};
  std::function<void(Result<>)> ended;
  Phase phase = Phase::Preparing;
  bool cancelled = false;
  MigrationProgress progress;

  bool disksAreCopied() const { return progress.disksDone == progress.disksTotal; }
};

struct FabricState {
  std::map<std::string, SimulatedHost> hosts;
  SimulatedImages images;
  std::list<Journey> journeys;
  std::vector<std::weak_ptr<SimulatedListener>> listeners;
  std::vector<std::function<void()>> outbox;  // calls to clients, made at the end of the step

  std::uint64_t steps = 0;
  std::map<std::string, std::uint64_t> acknowledged;  // newest record each guest was told is on its disks, by uuid
  std::vector<std::string> violations;
  std::set<std::set<std::string>> cutLinks;  // pairs of hosts

  bool linked(const std::string& one, const std::string& other) const { return !cutLinks.contains({one, other}); }

  Journey* findJourney(const SimulatedHost& host, const std::string& domain) {
    const auto found = std::find_if(journeys.begin(), journeys.end(), [&](const Journey& journey) {
      return journey.order.domain == domain && (journey.source == &host || journey.target == &host);
    });
    return found == journeys.end() ? nullptr : &*found;
  }
};

inline void tell(SimulatedHost& host, const std::string& domain) { host.untold.push_back(domain); }

}  // namespace godwit::hypervisor::simulated
