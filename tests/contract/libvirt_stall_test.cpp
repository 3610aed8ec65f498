#include <atomic>

#include "contract/hypervisor/libvirt_faults.hpp"

// The hole in libvirt's protocol: a target's daemon that stalls across the switch-over makes the source go on, and
// finishes the move all the same once it goes on too.
namespace godwit::hypervisor {
namespace {

using LibvirtStall = LibvirtFaults;

TEST_F(LibvirtStall, AcrossTheSwitchOverNeverLeavesTwoCopiesThatRun) {
  const DiskSource disk = startGuest();
  const int daemon = nodes().target.daemonPid();
  std::atomic<bool> stalled = false;
  const auto bystander = libvirt::connect(*nodes().loop, nodes().source.config()).value();
  // The first thing the source has to tell of a move on a shared disk is that the guest stands still.
  bystander->whenChanged([&](const std::string&) {
    if (!stalled.exchange(true)) kill(daemon, SIGSTOP);
  });
  std::atomic<bool> ended = false;
  ASSERT_TRUE(source_->beginMigration(
      {.domain = "guest", .targetUri = world_->uriOf(Side::Target), .socketDirectory = world_->socketDirectory()},
      [&](const Result<>&) { ended = true; }));
  ASSERT_TRUE(world_->settle([&] { return stalled.load(); }));
  // Until the client has lost patience, at the latest.
  ASSERT_TRUE(world_->settle([&] { return ended || isIn(source_, RunState::Running); }));
  const bool givenBack = isIn(source_, RunState::Running);
  EXPECT_EQ(source_->runStateOf("guest").value(), givenBack ? RunState::Running : RunState::InTransit);

  kill(daemon, SIGCONT);

  if (givenBack) {
    ASSERT_TRUE(world_->settle([&] { return !target_->runStateOf("guest"); }));
    EXPECT_EQ(target_->runStateOf("guest").error().code, Code::NotFound) << "it never ran there";
    EXPECT_EQ(source_->fence("guest").value(), Fencing::StillRunning);
  } else {
    ASSERT_TRUE(world_->settle([&] { return isIn(target_, RunState::Running); }));
    EXPECT_EQ(source_->fence("guest").value(), Fencing::Fenced);
  }
  EXPECT_TRUE(writesOn(disk));
}

}  // namespace
}  // namespace godwit::hypervisor
