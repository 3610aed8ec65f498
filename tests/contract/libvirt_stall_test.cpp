#include <atomic>

#include "contract/hypervisor/libvirt_faults.hpp"

// The hole in libvirt's protocol: a target's daemon that stalls across the switch-over for longer than the source's
// patience (about half a minute) makes the source go on, and finishes the move all the same once it goes on too.
namespace godwit::hypervisor {
namespace {

using LibvirtStall = LibvirtFaults;

TEST_F(LibvirtStall, AcrossTheSwitchOverLeavesOneCopyThatRunsAndOneThatWaits) {
  const DiskSource disk = startGuest();
  const int daemon = nodes().target.daemonPid();
  std::atomic<bool> stalled = false;
  const auto bystander = libvirt::connect(*nodes().loop, nodes().source.config()).value();
  // The first thing the source has to tell of a move on a shared disk is that the guest stands still.
  bystander->whenChanged([&](const std::string&) {
    if (!stalled.exchange(true)) kill(daemon, SIGSTOP);
  });
  ASSERT_TRUE(source_->beginMigration(
      {.domain = "guest", .targetUri = world_->uriOf(Side::Target), .socketDirectory = world_->socketDirectory()},
      [](const Result<>&) {}));
  ASSERT_TRUE(world_->settle([&] { return stalled.load(); }));
  ASSERT_TRUE(world_->settle([&] { return isIn(source_, RunState::Running); }));

  kill(daemon, SIGCONT);

  ASSERT_TRUE(world_->settle([&] { return isIn(target_, RunState::Paused); }));
  EXPECT_EQ(source_->fence("guest").value(), Fencing::StillRunning);
  EXPECT_TRUE(target_->destroy("guest"));
  EXPECT_TRUE(writesOn(disk));
}

}  // namespace
}  // namespace godwit::hypervisor
