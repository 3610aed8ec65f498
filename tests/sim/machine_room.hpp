#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "hypervisor/simulated/fabric.hpp"
#include "mover/mover.hpp"
#include "node/importers.hpp"
#include "node/movers.hpp"
#include "sim/chronicle.hpp"
#include "sim/guarded_hypervisor.hpp"
#include "storage/images.hpp"

// What a node has beside its agent: images, and mover processes with their files.
namespace godwit::sim {

using hypervisor::simulated::SimulatedFabric;

inline constexpr const char* kSharedDirectory = "/shared";

// Images of one host; what lies below the shared directory all hosts reach.
class SimulatedImages final : public storage::Images {
 public:
  // `made` has the paths of all images that any host has made, and not removed.
  SimulatedImages(SimulatedFabric& fabric, std::set<std::string>& made, std::string host)
      : fabric_(fabric), made_(made), host_(std::move(host)) {}

  Result<> ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> grow(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> remove(const kinds::PersistentVolume& volume) override;

  bool full = false;  // nothing new fits on the host's disks

 private:
  std::string ownerOf(const std::string& path) const;

  SimulatedFabric& fabric_;
  std::set<std::string>& made_;
  const std::string host_;
};

// Another hypervisor in the place of the one that a mover has for its target: a test may put in one with a bug.
using DressTarget = std::function<std::unique_ptr<hypervisor::Hypervisor>(std::unique_ptr<hypervisor::Hypervisor>)>;

// A mover, which dies between two calls of its own, in the middle of a step.
class MoverProcess final : private mover::Journal {
 public:
  static Result<std::unique_ptr<MoverProcess>> start(SimulatedFabric& fabric, const mover::Orders& orders,
                                                     mover::Journal& papers, const Clock& clock,
                                                     const DressTarget& dress);

  mover::Mover& mover() { return *mover_; }
  // No call gets through after so many more.
  void dieAfter(unsigned calls) { left_ = calls; }
  bool dead() const { return left_ == 0u; }

 private:
  explicit MoverProcess(mover::Journal& papers) : papers_(papers) {}

  Result<> spend();
  Result<> append(const mover::Entry& entry) override;
  std::optional<mover::Entry> last() const override { return papers_.last(); }

  mover::Journal& papers_;
  std::optional<unsigned> left_;  // calls until its death, if that is near
  std::unique_ptr<hypervisor::Hypervisor> source_;
  std::unique_ptr<hypervisor::Hypervisor> target_;
  std::unique_ptr<mover::Mover> mover_;
};

// One move on a node: files that stay, and a process that may die.
struct MoveFiles {
  mover::Orders orders;
  mover::MemoryJournal journal;
  mover::Options options = {};
  bool cancelled = false;
  bool targetDead = false;
  bool struck = false;     // its node lost power before it came to an end
  bool forgotten = false;  // by its agent; the files are kept for those who check
  std::unique_ptr<MoverProcess> process;
};

// All moves of one node. It outlives the agents that come and go.
class MoverRoom {
 public:
  MoverRoom(SimulatedFabric& fabric, const Clock& clock, Chronicle& chronicle, DressTarget dress)
      : fabric_(fabric), clock_(clock), chronicle_(chronicle), dress_(std::move(dress)) {}

  // Lets one living mover take a step; a verdict ends its process.
  void step(std::size_t choice);
  // One of them dies after so many more calls; at once after none.
  void crash(std::size_t choice, unsigned calls);
  // All of them die, and nobody hears of it.
  void losePower();
  std::size_t living() const;

  std::map<std::string, MoveFiles> moves;
  std::function<void(const std::string&)> changed;  // the present agent's

  Result<> start(const std::string& move);

 private:
  using Move = std::pair<const std::string, MoveFiles>;
  Move* pick(std::size_t choice);
  void end(Move& move);

  SimulatedFabric& fabric_;
  const Clock& clock_;
  Chronicle& chronicle_;
  const DressTarget dress_;
};

// An agent's view of the room.
class SimulatedMovers final : public node::Movers {
 public:
  explicit SimulatedMovers(MoverRoom& room) : room_(room) {}
  ~SimulatedMovers() override { room_.changed = {}; }

  Result<std::vector<std::string>> all() override;
  Result<State> state(const std::string& move) override;
  bool hasOrders(const std::string& move) override { return room_.moves.contains(move); }
  Result<> giveOrders(const mover::Orders& orders, const mover::Options& options) override;
  Result<> giveOptions(const std::string& move, const mover::Options& options) override;
  Result<> start(const std::string& move) override { return room_.start(move); }
  Result<> cancel(const std::string& move) override;
  Result<> tellTargetDead(const std::string& move) override;
  std::optional<mover::Progress> progress(const std::string&) override { return std::nullopt; }
  Result<> forget(const std::string& move) override;
  void whenChanged(std::function<void(const std::string&)> changed) override { room_.changed = std::move(changed); }

 private:
  MoverRoom& room_;
};

// Nobody imports anything here.
class NoImporters final : public node::Importers {
 public:
  Result<State> state(const std::string&) override { return State{}; }
  Result<> giveOrders(const importer::Orders&) override { return {}; }
  Result<> start(const std::string&) override { return {}; }
  Result<> cancel(const std::string&) override { return {}; }
  Result<importer::Sender> reach(const std::string&, std::int64_t) override { return fail(Code::Unavailable, ""); }
  Result<> forget(const std::string&) override { return {}; }
  void whenChanged(std::function<void(const std::string&)>) override {}
};

}  // namespace godwit::sim
