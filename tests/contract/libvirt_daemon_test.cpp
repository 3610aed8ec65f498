#include <sys/wait.h>

#include <algorithm>

#include "contract/hypervisor/libvirt_faults.hpp"

// What becomes of a hypervisor and its guests when the daemon between them fails.
namespace godwit::hypervisor {
namespace {

using namespace std::chrono_literals;

using LibvirtDaemon = LibvirtFaults;

TEST_F(LibvirtDaemon, IsReachedAgainAfterItsDeathAndTheGuestNeverNotices) {
  const DiskSource disk = startGuest();

  killDaemon(nodes().source);

  ASSERT_TRUE(world_->settle([&] { return isIn(source_, RunState::Running); }));
  EXPECT_TRUE(writesOn(disk));
}

TEST_F(LibvirtDaemon, NamesTheFeaturesOfAProcessorThatItCannotGive) {
  startGuest();
  std::string processor = source_->processorOf("guest").value();
  EXPECT_EQ(target_->lackingFeatures(processor), std::vector<std::string>()) << processor;

  const std::size_t end = processor.find("</cpu>");
  ASSERT_NE(end, std::string::npos) << processor;
  processor.insert(end, R"(<feature policy="require" name="avx512f"/><feature policy="require" name="vmx"/>)");

  auto lacking = target_->lackingFeatures(processor).value();
  std::sort(lacking.begin(), lacking.end());
  EXPECT_EQ(lacking, (std::vector<std::string>{"avx512f", "vmx"}));
}

TEST_F(LibvirtDaemon, ReportsChangesAgainAfterItsDeath) {
  killDaemon(nodes().source);
  ASSERT_TRUE(world_->settle([&] { return source_->list().has_value(); }));
  startGuest();
  EXPECT_TRUE(world_->settle([&] { return world_->changedDomains(Side::Source).contains("guest"); }));
}

TEST_F(LibvirtDaemon, FindsACopyAgainAfterItsDeath) {
  startGuest();
  const DiskSource copy = world_->makeDisk(Side::Source);
  ASSERT_TRUE(source_->beginCopy("guest", "vda", copy));

  killDaemon(nodes().source);

  ASSERT_TRUE(world_->settle([&] {
    const auto state = source_->describe("guest");
    return state && state->disks.at(0).mirror && state->disks.at(0).mirror->ready;
  }));
  ASSERT_TRUE(source_->pivot("guest", "vda"));
  EXPECT_TRUE(writesOn(copy));
}

TEST_F(LibvirtDaemon, GivesTheGuestBackAfterDyingInTheMiddleOfAMigration) {
  const DiskSource disk = startGuest();
  MigrationOrder slow{.domain = "guest",
                      .targetUri = world_->uriOf(Side::Target),
                      .socketDirectory = world_->socketDirectory(),
                      .copyDisks = {{"vda", world_->makeDisk(Side::Target)}},
                      .tuning = {.bandwidthBytesPerSecond = 4 << 20}};
  ASSERT_TRUE(source_->beginMigration(slow, [](const Result<>&) {}));
  ASSERT_TRUE(world_->settle([&] { return isIn(target_, RunState::InTransit); }));

  killDaemon(nodes().source);

  ASSERT_TRUE(world_->settle([&] {
    const auto gone = target_->describe("guest");
    return !gone && gone.error().code == Code::NotFound && isIn(source_, RunState::Running);
  }));
  EXPECT_TRUE(writesOn(disk));
}

TEST_F(LibvirtDaemon, IsNotWaitedForWhenItHasStopped) {
  kill(nodes().source.daemonPid(), SIGSTOP);
  libvirt::LibvirtConfig impatient = nodes().source.config();
  impatient.openPatience = 100ms;

  const auto refused = libvirt::connect(*nodes().loop, impatient);

  kill(nodes().source.daemonPid(), SIGCONT);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Timeout);
}

TEST_F(LibvirtDaemon, IsGivenUpByACallWhenItStops) {
  libvirt::LibvirtConfig impatient = nodes().source.config();
  impatient.openPatience = 100ms;
  impatient.keepAliveInterval = 1s;
  impatient.keepAliveCount = 1;
  const auto hypervisor = libvirt::connect(*nodes().loop, impatient).value();

  kill(nodes().source.daemonPid(), SIGSTOP);
  const auto unanswered = hypervisor->list();
  kill(nodes().source.daemonPid(), SIGCONT);

  ASSERT_FALSE(unanswered);
  EXPECT_EQ(unanswered.error().code, Code::Timeout);
  EXPECT_TRUE(world_->settle([&] { return hypervisor->list().has_value(); }));
}

TEST_F(LibvirtDaemon, IsNotThereWhereNobodyListens) {
  EXPECT_EQ(libvirt::connect(*nodes().loop, {.uri = "qemu+unix:///system?socket=/nonexistent/sock"}).error().code,
            Code::Unavailable);
}

TEST(PrivateNodeLife, EndsWithEverythingInItWhenItsInitIsKilled) {
  if (geteuid() != 0) GTEST_FAIL() << "namespaces need root";
  const ScratchDirectory directory;
  const PrivateNode node(directory.file("n"), "");
  const auto loop = libvirt::EventLoop::start().value();
  node.connect(*loop);
  const int daemon = node.daemonPid();
  ASSERT_GT(daemon, 0);

  kill(node.initPid(), SIGKILL);
  siginfo_t ended;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(node.initPid()), &ended, WEXITED | WNOWAIT), 0);

  EXPECT_NE(kill(daemon, 0), 0);
}

TEST(PrivateNodeLife, EndsInOrderWhenAsked) {
  if (geteuid() != 0) GTEST_FAIL() << "namespaces need root";
  const ScratchDirectory directory;
  const PrivateNode node(directory.file("n"), "");
  const auto loop = libvirt::EventLoop::start().value();
  node.connect(*loop);

  kill(node.initPid(), SIGTERM);

  siginfo_t ended;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(node.initPid()), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(ended.si_code, CLD_EXITED);
  EXPECT_EQ(ended.si_status, 0);
}

}  // namespace
}  // namespace godwit::hypervisor
