#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "base/directory_watch.hpp"
#include "base/lookout.hpp"
#include "base/mutex.hpp"
#include "base/papers.hpp"
#include "base/process.hpp"

namespace godwit::node {

// Processes that outlive the agent, each with a directory for its papers. One is alive while its lock is held; the
// kernel tells of its end, also when another agent started it.
class Errands {
 public:
  struct Config {
    std::string directory;  // has one directory per errand
    std::string program;    // runs "<verb> --directory <the errand's>"
    std::string verb;
    // For a process that waits for an errand: it reads first the errand's directory, then hints, a line each. It goes
    // when there is nothing more to read and no orders are there, or when they do not come.
    std::vector<std::string> waiting = {};
  };

  static Result<std::unique_ptr<Errands>> open(Config config, const Clock& clock);

  // Those that have papers.
  Result<std::vector<std::string>> all() const;
  // Every call that names an errand: Invalid when it cannot be a UID.
  // Has a process wait for the errand's orders, in the hope that they come soon: it takes a while to load. The hint is
  // what is known of them by now; it may be another one later.
  void expect(const std::string& errand, const std::string& hint);
  // Has a process wait for whatever comes, from now on.
  void beReady();
  Result<Papers> papersOf(const std::string& errand) const;
  Result<bool> isAlive(const std::string& errand);
  // Whether its process does. One that was just started may not yet.
  Result<bool> holdsLock(const std::string& errand) const;
  bool hasOrders(const std::string& errand);
  // A place for what is to be there before the orders are.
  Result<Papers> makePapers(const std::string& errand);
  Result<> giveOrders(const std::string& errand, const std::string& orders);
  // Does nothing when a process is alive. Unavailable when several have died and the last one has only
  // just been started: one that dies at once must not be started at full speed.
  Result<> start(const std::string& errand);
  Result<> cancel(const std::string& errand);
  // Makes an empty file among the errand's papers: a word to its process. NotFound when it has no papers.
  Result<> leaveWord(const std::string& errand, const std::string& file) const;
  // Conflict while the process is alive.
  Result<> forget(const std::string& errand);
  void whenChanged(std::function<void(const std::string&)> changed);

 private:
  // A process that waits, and the line on which it is told for what.
  struct Waiting {
    Process process;
    Descriptor line;
    std::string told = {};

    void tell(const std::string& words);
  };
  struct Starts {
    int count = 0;
    Timestamp last;
  };

  Errands(Config config, const Clock& clock, DirectoryWatch watch, Descriptor timer)
      : config_(std::move(config)), clock_(clock), watch_(std::move(watch)), timer_(std::move(timer)) {}

  Result<bool> isAlive(const std::string& errand, const Papers& papers) REQUIRES(mutex_);
  Result<Process> spawn(Command command);
  Result<Waiting> spawnWaiting();
  void refill() REQUIRES(mutex_);
  void refillLater() REQUIRES(mutex_);
  bool takeExpected(const std::string& errand) REQUIRES(mutex_);
  Result<> watchAll();
  void readNews();
  void reap(int process);
  void dropWaiting(int process) REQUIRES(mutex_);
  void announce(const std::string& errand);

  const Config config_;
  const Clock& clock_;
  DirectoryWatch watch_;
  const Descriptor timer_;  // readable when it is time for another one to wait
  Mutex mutex_;
  std::map<std::string, Process> children_ GUARDED_BY(mutex_);  // started here, and not seen to have ended
  std::map<std::string, Waiting> expected_ GUARDED_BY(mutex_);  // wait for orders
  std::optional<Waiting> reserve_ GUARDED_BY(mutex_);
  bool ready_ GUARDED_BY(mutex_) = false;
  std::map<std::string, Starts> starts_ GUARDED_BY(mutex_);
  std::function<void(const std::string&)> changed_ GUARDED_BY(mutex_);
  std::unique_ptr<Lookout> lookout_;  // the last member: its thread uses all others
};

}  // namespace godwit::node
