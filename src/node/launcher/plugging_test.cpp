#include "node/launcher/plugging.hpp"

#include <gtest/gtest.h>

namespace godwit::node::launcher {
namespace {

Plug disk(const std::string& volume, const std::string& target, bool hotpluggable = true) {
  Plug plug;
  plug.disk = {target, "scsi", "", volume, volume + "-claim", hotpluggable};
  plug.source = hypervisor::DiskSource{.path = "/" + volume};
  plug.claim.claimName = volume + "-claim";
  return plug;
}

std::vector<hypervisor::DiskState> attached(const std::vector<std::string>& targets) {
  std::vector<hypervisor::DiskState> disks;
  for (const std::string& target : targets) {
    const std::string path = target == "sda" ? "/more" : "/root";
    disks.push_back({.target = target, .source = {.path = path}, .mirror = {}});
  }
  return disks;
}

std::vector<std::string> phases(const Plan& plan) {
  std::vector<std::string> found;
  for (const auto& status : plan.statuses) found.push_back(status.name + " " + status.target + " " + status.phase);
  return found;
}

using Words = std::vector<std::string>;

TEST(Plugging, DescribesDisksThatAreThereAndDoesNothing) {
  const Plan made = plan({disk("root", "vda", false)}, attached({"vda"}), {});
  EXPECT_EQ(phases(made), (Words{"root vda Ready"}));
  EXPECT_FALSE(made.statuses[0].hotplugVolume);
  EXPECT_TRUE(made.attach.empty() && made.detach.empty() && made.settled());
}

TEST(Plugging, SaysOfADiskOutOfAContainerImageThatItIsOne) {
  Plug system;
  system.disk = {"vda", "virtio", "", "system", "", false, kinds::ContainerDisk{.image = "quay.io/disks/fedora:40"}};
  system.bytes = 4096;
  const Plan made = plan({system}, attached({"vda"}), {});
  EXPECT_EQ(phases(made), (Words{"system vda Ready"}));
  EXPECT_TRUE(made.statuses[0].containerDiskVolume);
  EXPECT_FALSE(made.statuses[0].persistentVolumeClaimInfo);
  EXPECT_EQ(made.statuses[0].size, 4096);
  EXPECT_TRUE(made.attach.empty() && made.detach.empty() && made.settled());

  EXPECT_TRUE(isSettled(system.disk, made.statuses, attached({"vda"})));
  // On a claim now.
  system.disk.container.reset();
  system.disk.claim = "system-claim";
  EXPECT_FALSE(isSettled(system.disk, made.statuses, attached({"vda"})));
}

TEST(Plugging, AttachesADiskWhoseVolumeIsReached) {
  const Plan made = plan({disk("root", "vda", false), disk("more", "sda")}, attached({"vda"}), {});
  EXPECT_EQ(phases(made), (Words{"root vda Ready", "more sda Bound"}));
  ASSERT_EQ(made.attach.size(), 1u);
  EXPECT_EQ(made.attach[0].disk.target, "sda");
  EXPECT_FALSE(made.settled());
}

TEST(Plugging, WaitsForAVolumeAndSaysWhy) {
  Plug more = disk("more", "sda");
  more.source.reset();
  more.obstacle = "claim vms/more-claim is not bound";
  const Plan made = plan({more}, {}, {});
  EXPECT_EQ(phases(made), (Words{"more sda Pending"}));
  EXPECT_EQ(made.statuses[0].message, "claim vms/more-claim is not bound");
  EXPECT_TRUE(made.attach.empty());
}

TEST(Plugging, NeverAttachesADiskThatMayNotCome) {
  EXPECT_TRUE(plan({disk("odd", "sda", false)}, {}, {}).attach.empty());
}

TEST(Plugging, TakesAwayADiskThatIsNoLongerNamedAndForgetsItOnceItIsGone) {
  const auto before = plan({disk("more", "sda")}, attached({"sda"}), {}).statuses;
  const Plan leaving = plan({}, attached({"sda"}), before);
  EXPECT_EQ(phases(leaving), (Words{"more sda Detaching"}));
  EXPECT_EQ(leaving.detach, Words{"sda"});
  EXPECT_EQ(phases(plan({}, {}, leaving.statuses)), Words{});
}

TEST(Plugging, WaitsForTheOldClaimOfAVolumeToGoBeforeTheNewOneComes) {
  Plug other = disk("more", "sda");
  other.source->path = "/elsewhere";
  const Plan made = plan({other}, attached({"sda"}), {});
  EXPECT_EQ(phases(made), (Words{"more sda Detaching"}));
  EXPECT_EQ(made.detach, Words{"sda"});
  EXPECT_TRUE(made.attach.empty());
}

TEST(Plugging, NamesTheOldClaimOfAVolumeUntilTheGuestHasLetGoOfIt) {
  const auto recorded = plan({disk("more", "sda")}, attached({"sda"}), {}).statuses;
  Plug other = disk("more", "sda");
  other.source->path = "/elsewhere";
  other.claim.claimName = "other-claim";
  EXPECT_EQ(plan({other}, attached({"sda"}), recorded).statuses[0].persistentVolumeClaimInfo->claimName, "more-claim");
}

TEST(Plugging, NeverTakesAwayADiskThatTheGuestStartedWith) {
  const auto before = plan({disk("root", "vda", false)}, attached({"vda"}), {}).statuses;
  EXPECT_TRUE(plan({}, attached({"vda", "vdb"}), before).detach.empty());
}

TEST(Plugging, AsksAgainOnlyForWhatHasChanged) {
  const auto recorded = plan({disk("more", "sda")}, attached({"sda"}), {}).statuses;
  EXPECT_TRUE(isSettled(disk("more", "sda").disk, recorded, attached({"sda"})));
  EXPECT_FALSE(isSettled(disk("more", "sda").disk, recorded, {}));
  auto moved = disk("more", "sda").disk;
  moved.claim = "elsewhere";
  EXPECT_FALSE(isSettled(moved, recorded, attached({"sda"})));
}

}  // namespace
}  // namespace godwit::node::launcher
