#include "base/stop_signals.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/bell.hpp"

namespace godwit {
namespace {

using namespace std::chrono_literals;

TEST(StopSignals, AskNobodyToStopBeforeOneCame) {
  const StopSignals signals;
  EXPECT_FALSE(signals.token().stop_requested());
}

TEST(StopSignals, BecomeARequestToStop) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const StopSignals signals;
    Bell bell;
    const std::stop_callback ring(signals.token(), [&] { bell.ring(); });
    kill(getpid(), signal);
    EXPECT_TRUE(bell.waitFor(1min, {}));
  }
}

}  // namespace
}  // namespace godwit
