#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "mover/journal.hpp"
#include "mover/options.hpp"
#include "mover/orders.hpp"
#include "mover/progress.hpp"

namespace godwit::node {

// The mover processes of one node. They outlive the agent: what there is to know of one is in its
// files, and an agent that starts finds those that are still running.
class Movers {
 public:
  struct State {
    bool alive = false;
    std::optional<mover::Entry> verdict;
  };

  virtual ~Movers() = default;

  // The moves that have papers here.
  virtual Result<std::vector<std::string>> all() = 0;
  // Moves may come: whoever takes time to begin may use that until then.
  virtual void beReady() {}
  // These orders are about to be given, as far as anybody knows; all but the move's UID may be missing yet.
  virtual void expect(const mover::Orders& /*draft*/) {}
  // `move` is the migration's UID.
  virtual Result<State> state(const std::string& move) = 0;
  // Whether orders were ever given: a dead mover is started again with the same ones.
  virtual bool hasOrders(const std::string& move) = 0;
  // The mover may begin as soon as it has orders, so the options come first.
  virtual Result<> giveOrders(const mover::Orders& orders, const mover::Options& options) = 0;
  // Others, while the mover runs. NotFound when there are no orders.
  virtual Result<> giveOptions(const std::string& move, const mover::Options& options) = 0;
  virtual Result<> start(const std::string& move) = 0;
  virtual Result<> cancel(const std::string& move) = 0;
  // Gives up as well: the target's node is known to be dead, and has no copy of the guest.
  virtual Result<> tellTargetDead(const std::string& move) = 0;
  virtual std::optional<mover::Progress> progress(const std::string& move) = 0;
  // Forgets a move that is over.
  virtual Result<> forget(const std::string& move) = 0;
  // Calls `changed` with the move whenever its mover ended or got further. From any thread.
  virtual void whenChanged(std::function<void(const std::string&)> changed) = 0;
};

}  // namespace godwit::node
