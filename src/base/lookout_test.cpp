#include "base/lookout.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include "base/bell.hpp"

namespace godwit {
namespace {

using namespace std::chrono_literals;

TEST(Lookout, CallsWhenADescriptorBecomesReadable) {
  const Descriptor counter(eventfd(0, EFD_CLOEXEC));
  Bell bell;
  const auto lookout = Lookout::start().value();
  ASSERT_TRUE(lookout->watch(counter.number(), [&] {
    eventfd_t read = 0;
    eventfd_read(counter.number(), &read);
    bell.ring();
  }));
  for (int round = 0; round < 2; ++round) {
    eventfd_write(counter.number(), 1);
    EXPECT_TRUE(bell.waitFor(1min, {}));
  }
}

TEST(Lookout, DoesNotCallForADescriptorItWasToldToForget) {
  const Descriptor first(eventfd(1, EFD_CLOEXEC));
  const Descriptor second(eventfd(1, EFD_CLOEXEC));
  int calls = 0;
  Bell bell;
  const auto lookout = Lookout::start().value();
  ASSERT_TRUE(lookout->watch(first.number(), [&] {
    ++calls;
    lookout->forget(first.number());
  }));
  // By the third call for the second descriptor the first would have had its turn again.
  int others = 0;
  ASSERT_TRUE(lookout->watch(second.number(), [&] {
    if (++others == 3) lookout->forget(second.number()), bell.ring();
  }));
  ASSERT_TRUE(bell.waitFor(1min, {}));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace godwit
