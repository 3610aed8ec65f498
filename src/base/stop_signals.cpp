#include "base/stop_signals.hpp"

#include <csignal>

namespace godwit {
namespace {

sigset_t stopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

StopSignals::StopSignals() {
  const sigset_t signals = stopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  thread_ = std::jthread([this, signals](std::stop_token ended) {
    while (!ended.stop_requested()) {
      int signal = 0;
      sigwait(&signals, &signal);
      requested_.request_stop();
    }
  });
}

StopSignals::~StopSignals() {
  thread_.request_stop();
  // Meant for the waiting thread alone, which nothing else wakes.
  pthread_kill(thread_.native_handle(), SIGTERM);
}

}  // namespace godwit
