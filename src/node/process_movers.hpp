#pragma once

#include <map>
#include <memory>

#include "base/clock.hpp"
#include "base/directory_watch.hpp"
#include "base/lookout.hpp"
#include "base/mutex.hpp"
#include "base/process.hpp"
#include "mover/papers.hpp"
#include "node/movers.hpp"

namespace godwit::node {

// Movers as processes, each with a directory for its papers. A mover is alive while its lock is held; the kernel
// tells of its end, also when another agent started it.
class ProcessMovers final : public Movers {
 public:
  struct Config {
    std::string directory;  // has one directory per move
    std::string program;    // runs "mover --directory <the move's>"
  };

  static Result<std::unique_ptr<ProcessMovers>> open(Config config, const Clock& clock);

  // Every call that names a move: Invalid when it cannot be a UID.
  Result<State> state(const std::string& move) override;
  bool hasOrders(const std::string& move) override;
  Result<> giveOrders(const mover::Orders& orders) override;
  // Does nothing when a mover is alive. Unavailable when several have died and the last one has only
  // just been started: one that dies at once must not be started at full speed.
  Result<> start(const std::string& move) override;
  Result<> cancel(const std::string& move) override;
  std::optional<mover::Progress> progress(const std::string& move) override;
  // Conflict while the mover is alive.
  Result<> forget(const std::string& move) override;
  void whenChanged(std::function<void(const std::string&)> changed) override;

  // Where all movers of that move have written what they have to say.
  Result<std::string> logFile(const std::string& move) const;

 private:
  struct Starts {
    int count = 0;
    Timestamp last;
  };

  ProcessMovers(Config config, const Clock& clock, DirectoryWatch watch)
      : config_(std::move(config)), clock_(clock), watch_(std::move(watch)) {}

  Result<mover::Papers> papersOf(const std::string& move) const;
  Result<bool> isAlive(const std::string& move, const mover::Papers& papers) REQUIRES(mutex_);
  Result<> watchMoves();
  void readNews();
  void reap(const std::string& move);
  void announce(const std::string& move);

  const Config config_;
  const Clock& clock_;
  DirectoryWatch watch_;
  Mutex mutex_;
  std::map<std::string, Process> children_ GUARDED_BY(mutex_);  // started here, and not seen to have ended
  std::map<std::string, Starts> starts_ GUARDED_BY(mutex_);
  std::function<void(const std::string&)> changed_ GUARDED_BY(mutex_);
  std::unique_ptr<Lookout> lookout_;  // the last member: its thread uses all others
};

}  // namespace godwit::node
