#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "base/process.hpp"
#include "base/result.hpp"

namespace godwit::bin {

struct Service {
  std::string name;
  Command command;
  std::string pidFile;
};

// Runs a service until `stop`: started again whenever it ends, ended by SIGTERM, and by SIGKILL if that
// is not enough. Returns when it has ended.
void supervise(const Service& service, const Clock& clock, std::stop_token stop);

// Sends SIGTERM to a process that a pid file names and that was started with `word` among its arguments,
// then SIGKILL after ten seconds; returns when it is gone. Succeeds when there is none.
Result<> endProcess(const std::string& pidFile, const std::string& word);

// Whether a process that a pid file names, and that was started with `word` among its arguments, is alive.
bool isAlive(const std::string& pidFile, const std::string& word);

}  // namespace godwit::bin
