#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apiserver/server.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "controllers/world.hpp"
#include "hypervisor/simulated/fabric.hpp"
#include "sim/all_controllers.hpp"
#include "sim/machine_room.hpp"
#include "sim/process.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::sim {

// Parts with a bug, which a test may put in the place of the usual ones.
struct Plants {
  OtherControllers controllers = {};
  DressTarget moversTarget = {};
};

// The whole control plane - API server, controllers, scheduler, three nodes with their movers and
// hypervisors - on one thread, under one seed and one clock that moves only here.
class Simulation {
 public:
  explicit Simulation(unsigned seed, Plants plants = {});
  ~Simulation();

  // Something happens: a process does one thing, a guest writes, time passes; with faults on,
  // something dies, gets lost, or is cancelled by somebody.
  void step();
  void setFaults(bool on);

  // Steps until `done`; false when it does not come true in time.
  bool runUntil(const std::function<bool()>& done, int steps = 40'000);

  void createMachine(const std::string& name = "vm", const std::string& claim = "disk-0");
  void deleteMachine();
  // What people wished for the machine, and the claims it had.
  void deleteTheRest();
  void migrate(const std::string& name);
  // As `kubectl drain` does with the node that the machine is on, and `kubectl uncordon` with every node.
  void drainHome();
  void liftCordons();
  // Many guests on shared storage, of which not all may move at a time.
  struct Limits {
    std::int64_t inCluster = 0;
    std::int64_t fromNode = 0;
    std::int64_t toNode = 0;
  };
  void createCrowd(int guests, const Limits& limits);
  void drain(const std::string& node);
  // All of them run, and none moves or is to move.
  bool crowdRests() const;
  std::int64_t mostAtATime() const { return mostAtATime_; }
  void moveVolume(const std::string& name, const std::string& from, const std::string& to, kinds::Mechanism mechanism);
  // The VM itself names the claim, and asks for its disk to move there.
  void editClaim(const std::string& claim);
  bool usesClaim(const std::string& claim) const;
  void createClaim(const std::string& name, const std::string& storageClass, const std::string& size = "1Mi");
  void growClaim(const std::string& name, const std::string& size);
  // Under one seed in three, and while faults are on, somebody now and then deletes a claim or a volume, whoever uses
  // it.
  void becomeCareless();
  bool isCareless() const { return careless_; }
  // A claim or a volume was deleted while the machine was there, which may never run again once it stops.
  bool diskIsLeaving() const { return diskIsLeaving_; }

  // As the server has it, without losses.
  template <class T>
  std::optional<T> get(const std::string& name) const {
    const auto found = people_->get<T>({"default", name});
    return found ? std::optional(*found) : std::nullopt;
  }
  bool machineRuns() const;
  // A claim that has a volume is said to be as large as was asked for, and is.
  bool hasWhatItAsksFor(const std::string& claim) const;
  bool machineIsGone() const;
  // Once all is deleted: instances, pods, wishes, claims, volumes, images, domains and papers of moves that are still
  // there, in words. Empty when there is nothing.
  std::string leftovers() const;

  // What must never be, and is: the first that was found. Empty while all is well.
  const std::string& violation() const { return violation_; }
  // All there is, for people who wonder why.
  std::string describe();
  // Of everything that was asked of the server, and everything that struck; equal for equal seeds.
  std::uint64_t trace() const { return exchange_.chronicle.digest(); }
  // Tells it all from now on, a line for each event.
  void recount(std::function<void(const std::string& line)> reader);
  int steps() const { return steps_; }

 private:
  struct Node;
  class ControlPlane;
  class Agent;

  void registerNode(const std::string& name);
  std::vector<Line*> lines();
  void act();
  void strike();
  void cancelSomething();
  void deleteSomeDisk();
  bool heal();
  bool heal(Node& node);
  void cutPower(Node& node);
  void wake(Node& node);
  void sayDead(const std::string& node);
  bool takeBack(const std::string& node);
  void restartServer();
  void check();
  void checkVerdicts();
  void checkRecords();
  void checkClaims();
  void checkLimits();
  void complain(std::string what);

  SeededRandom random_;
  ManualClock clock_;
  store::MemoryStore store_;
  SimulatedFabric fabric_;
  Exchange exchange_;
  std::unique_ptr<apiserver::ApiServer> server_;
  Line peoplesLine_;
  std::unique_ptr<client::Client> people_;
  const Plants plants_;
  std::unique_ptr<ControlPlane> control_;
  const std::vector<std::string> hosts_ = {"node-1", "node-2", "node-3"};
  std::set<std::string> images_;  // that nodes have made, by path
  std::vector<std::unique_ptr<Node>> nodes_;
  bool faults_ = false;
  bool linksAreCut_ = false;
  int steps_ = 0;
  int withoutGuest_ = 0;
  std::int64_t checkedRevision_ = 0;  // of the store
  std::uint64_t newestRecord_ = 0;    // that any copy of the guest has written
  bool guestBegun_ = false;
  bool leaving_ = false;
  bool careless_ = false;
  bool diskIsLeaving_ = false;
  int crowd_ = 0;
  Limits limits_;
  std::int64_t mostAtATime_ = 0;
  std::string violation_;
};

}  // namespace godwit::sim
