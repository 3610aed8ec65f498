#include <thread>

#include "hypervisor/libvirt/handover.hpp"
#include "hypervisor/libvirt/with_qemu_process_test.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

class DepartingTest : public WithQemuProcess {
 protected:
  DepartingTest() {
    start("/usr/bin/qemu-system-x86_64", "guest=db-1");
    departing_.emplace(std::move(**QemuProcess::find(processes_, "db-1")));
    EXPECT_TRUE(departing_->process.thaw());
  }

  std::optional<Departing> departing_;
};

TEST_F(DepartingTest, IsAskedNothingOnceItIsHandedOver) {
  ASSERT_TRUE(departing_->beginQuestion());
  departing_->endQuestion();
  ASSERT_TRUE(departing_->handOver());
  EXPECT_TRUE(departing_->process.isFrozen());
  EXPECT_TRUE(departing_->isHandedOver());
  EXPECT_FALSE(departing_->beginQuestion());

  ASSERT_TRUE(departing_->takeBack());
  EXPECT_FALSE(departing_->isHandedOver());
  EXPECT_TRUE(departing_->beginQuestion());
}

TEST_F(DepartingTest, IsHandedOverWhenTheLastAnswerHasCome) {
  ASSERT_TRUE(departing_->beginQuestion());
  ASSERT_TRUE(departing_->beginQuestion());
  Result<> handedOver = fail(Code::Internal, "not yet");
  std::jthread handingOver([&] { handedOver = departing_->handOver(); });
  // Whoever comes now is too late, and does not hold it up.
  while (departing_->beginQuestion()) departing_->endQuestion();
  departing_->endQuestion();
  EXPECT_FALSE(departing_->process.isFrozen());
  departing_->endQuestion();
  handingOver.join();
  EXPECT_TRUE(handedOver);
  EXPECT_TRUE(departing_->process.isFrozen());
}

// Its daemon is as deaf as a frozen QEMU is: whoever waits for it could not find out about the target.
TEST_F(DepartingTest, StaysWhereNoAnswerComes) {
  ASSERT_TRUE(departing_->beginQuestion());
  EXPECT_EQ(departing_->handOver().error().code, Code::Timeout);
  EXPECT_FALSE(departing_->process.isFrozen());
  EXPECT_FALSE(departing_->isHandedOver());
  EXPECT_TRUE(departing_->beginQuestion());
}

TEST_F(DepartingTest, IsAskedAgainWhenItIsDead) {
  ASSERT_TRUE(departing_->handOver());
  ASSERT_TRUE(departing_->process.kill());
  ASSERT_TRUE(departing_->process.isDeadWithin(std::chrono::seconds(10)));
  EXPECT_FALSE(departing_->isHandedOver());
  EXPECT_TRUE(departing_->beginQuestion());
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
