#pragma once

#include <map>
#include <memory>
#include <string>

#include "hypervisor/simulated/fabric.hpp"
#include "mover/mover.hpp"
#include "node/importers.hpp"
#include "node/movers.hpp"
#include "storage/images.hpp"

// What a node has beside its agent: images, and mover processes with their files.
namespace godwit::sim {

using hypervisor::simulated::SimulatedFabric;

inline constexpr const char* kSharedDirectory = "/shared";

// Images of one host; what lies below the shared directory all hosts reach.
class SimulatedImages final : public storage::Images {
 public:
  SimulatedImages(SimulatedFabric& fabric, std::string host) : fabric_(fabric), host_(std::move(host)) {}

  Result<> ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> grow(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> remove(const kinds::PersistentVolume& volume) override;

 private:
  std::string ownerOf(const std::string& path) const;

  SimulatedFabric& fabric_;
  const std::string host_;
};

// One move on a node: files that stay, and a process that may die.
struct MoveFiles {
  mover::Orders orders;
  mover::MemoryJournal journal;
  mover::Options options = {};
  bool cancelled = false;
  bool targetDead = false;
  bool struck = false;  // its node lost power before it came to an end

  struct Process {
    std::unique_ptr<hypervisor::Hypervisor> source;
    std::unique_ptr<hypervisor::Hypervisor> target;
    std::unique_ptr<mover::Mover> mover;
  };
  std::optional<Process> process;
};

// All moves of one node. It outlives the agents that come and go.
class MoverRoom {
 public:
  MoverRoom(SimulatedFabric& fabric, const Clock& clock) : fabric_(fabric), clock_(clock) {}

  // Lets one living mover take a step; a verdict ends its process.
  void step(std::size_t choice);
  void crash(std::size_t choice);
  // All of them die, and nobody hears of it.
  void losePower();
  std::size_t living() const;

  std::map<std::string, MoveFiles> moves;
  std::function<void(const std::string&)> changed;  // the present agent's

  Result<> start(const std::string& move);

 private:
  std::pair<const std::string, MoveFiles>* pick(std::size_t choice);

  SimulatedFabric& fabric_;
  const Clock& clock_;
};

// An agent's view of the room.
class SimulatedMovers final : public node::Movers {
 public:
  explicit SimulatedMovers(MoverRoom& room) : room_(room) {}
  ~SimulatedMovers() override { room_.changed = {}; }

  Result<State> state(const std::string& move) override;
  bool hasOrders(const std::string& move) override { return room_.moves.contains(move); }
  Result<> giveOrders(const mover::Orders& orders) override;
  Result<> giveOptions(const std::string& move, const mover::Options& options) override;
  Result<> start(const std::string& move) override { return room_.start(move); }
  Result<> cancel(const std::string& move) override;
  Result<> tellTargetDead(const std::string& move) override;
  std::optional<mover::Progress> progress(const std::string&) override { return std::nullopt; }
  Result<> forget(const std::string&) override { return {}; }
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
