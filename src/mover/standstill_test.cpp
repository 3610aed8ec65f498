#include "mover/standstill.hpp"

#include <gtest/gtest.h>

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

const Timestamp kBegin{};

TEST(StandstillOfAGuest, BeginsWithTheFirstEventSinceItWasSeenRunning) {
  Standstill standstill;
  standstill.stir(kBegin);
  standstill.noteRunning(standstill.beginLook());
  standstill.stir(kBegin + 5s);
  standstill.stir(kBegin + 6s);
  EXPECT_EQ(standstill.until(kBegin + 7s), 2s);
}

TEST(StandstillOfAGuest, IsNotForgottenWhenTheEventComesDuringALook) {
  Standstill standstill;
  const int look = standstill.beginLook();
  standstill.stir(kBegin + 1s);
  standstill.noteRunning(look);
  EXPECT_EQ(standstill.until(kBegin + 3s), 2s);
}

TEST(StandstillOfAGuest, BeginsWithTheLookThatSeesItWhenNoEventHasCome) {
  Standstill standstill;
  EXPECT_EQ(standstill.until(kBegin), std::nullopt);
  standstill.noteStill(kBegin + 1s);
  EXPECT_EQ(standstill.until(kBegin + 2s), 1s);
}

}  // namespace
}  // namespace godwit::mover
