#pragma once

#include <csignal>
#include <functional>
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/process.hpp"
#include "base/result.hpp"

namespace godwit::bin {

struct Service {
  std::string name;
  Command command;
  std::string pidFile;
  int endSignal = SIGTERM;
  std::function<void(std::stop_token)> started = {};  // called after every start, before its end is waited for
};

// Runs a service until `stop`: started again whenever it ends, ended by its signal. Returns when it has ended.
void supervise(const Service& service, const Clock& clock, std::stop_token stop);

// Sends the signal to a process that a pid file names and that was started with `word` among its arguments,
// then SIGKILL after ten seconds; returns when it is gone. Succeeds when there is none.
Result<> endProcess(const std::string& pidFile, const std::string& word, int endSignal = SIGTERM);

// Becomes readable when the process ends. Of no process when there is none; a pid file must name one that was started
// with `word` among its arguments.
Descriptor holdProcess(pid_t pid);
Descriptor holdProcess(const std::string& pidFile, const std::string& word);

// Whether a process that a pid file names, and that was started with `word` among its arguments, is alive.
bool isAlive(const std::string& pidFile, const std::string& word);

}  // namespace godwit::bin
