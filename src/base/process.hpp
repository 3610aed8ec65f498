#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit {

struct Command {
  std::vector<std::string> argv;              // the first is the program's path
  std::string outputFile = {};                // what it prints is appended here; empty: it prints where the caller does
  std::string errorFile = {};                 // the same for its complaints
  int input = -1;                             // it reads from there; -1: from /dev/null
  bool ownSession = false;                    // out of reach of the caller's terminal and process group
  std::vector<std::string> environment = {};  // "NAME=value", beside what the caller has
};

// How a process ended: by itself with a status, or by a signal.
struct Exit {
  int status = 0;
  int signal = 0;

  bool operator==(const Exit&) const = default;
};

// A child process, held by a pidfd, so that a signal never reaches somebody else. Destroying it
// leaves the process alone.
class Process {
 public:
  // It inherits no other descriptor than those, and starts with no signal blocked or ignored.
  // NotFound when there is no such program.
  static Result<Process> start(const Command& command);

  pid_t pid() const { return pid_; }
  // Becomes readable when the process ends.
  int descriptor() const { return pidfd_.number(); }

  // How it ended, or nothing while it runs. Reaps it.
  Result<std::optional<Exit>> poll();
  // Blocks until it ends. Reaps it.
  Result<Exit> wait();
  // Succeeds when it has already ended.
  Result<> kill(int signal);

 private:
  Process(pid_t pid, Descriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  Result<std::optional<Exit>> reap(int options);

  pid_t pid_;
  Descriptor pidfd_;
  std::optional<Exit> exit_;
};

}  // namespace godwit
