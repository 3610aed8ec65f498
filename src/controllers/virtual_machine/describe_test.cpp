#include "controllers/virtual_machine/describe.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::virtual_machine {
namespace {

kinds::VirtualMachineSpec machine() {
  kinds::VirtualMachineSpec spec;
  spec.instance.spec.domain.cpu = kinds::GuestCpu{2};
  spec.instance.spec.volumes = {{"root", kinds::ClaimReference{"root"}, std::nullopt}};
  return spec;
}

kinds::VirtualMachineInstance said(std::vector<kinds::Condition> conditions) {
  kinds::VirtualMachineInstance instance;
  instance.status.conditions = std::move(conditions);
  return instance;
}

TEST(NeedsRestart, WhenTheTemplateHasOtherMachineryThanTheGuest) {
  auto spec = machine();
  const auto instance = spec.instance.spec;
  EXPECT_FALSE(needsRestart(spec, instance));
  spec.instance.spec.domain.cpu->cores = 4;
  EXPECT_TRUE(needsRestart(spec, instance));
}

TEST(NeedsRestart, NotForWhatComesAndGoesOrForHowTheGuestStartsAndStops) {
  const auto spec = machine();
  auto instance = spec.instance.spec;
  instance.startStrategy = "Paused";
  instance.terminationGracePeriodSeconds = 5;
  instance.nodeSelector = {{"disk", "ssd"}};
  instance.volumes.push_back({"more", kinds::ClaimReference{"more", true}, std::nullopt});
  instance.domain.devices.disks.push_back({.name = "more", .disk = {}, .lun = {}, .serial = ""});
  EXPECT_FALSE(needsRestart(spec, instance));
}

TEST(NeedsRestart, ForAnotherClaimUnlessThatIsToBeMigrated) {
  auto spec = machine();
  const auto instance = spec.instance.spec;
  spec.instance.spec.volumes[0].persistentVolumeClaim->claimName = "elsewhere";
  EXPECT_TRUE(needsRestart(spec, instance));
  spec.updateVolumesStrategy = "Migration";
  EXPECT_FALSE(needsRestart(spec, instance));
}

// Nobody moves a running guest's disk to another image, nor from an image to a claim.
TEST(NeedsRestart, ForAnotherContainerImageHoweverVolumesAreUpdated) {
  auto spec = machine();
  spec.updateVolumesStrategy = "Migration";
  const auto onClaim = spec.instance.spec;
  auto& volume = spec.instance.spec.volumes[0];
  volume.persistentVolumeClaim.reset();
  volume.containerDisk.emplace().image = "quay.io/disks/fedora:40";
  EXPECT_TRUE(needsRestart(spec, onClaim));
  const auto onImage = spec.instance.spec;
  EXPECT_FALSE(needsRestart(spec, onImage));
  volume.containerDisk->image = "quay.io/disks/fedora:41";
  EXPECT_TRUE(needsRestart(spec, onImage));
}

TEST(DescribeConditions, RepeatsWhatTheInstanceSaysAndForgetsWhatItNoLongerSays) {
  kinds::VirtualMachineStatus status;
  const auto instance = said({{"Ready", "True", "GuestStarted", "", {}}, {"Paused", "True", "PausedByUser", "", {}}});
  describeConditions(status, {}, &instance, {.restart = "a non-live-updatable field was changed in the template spec"},
                     {});
  EXPECT_TRUE(kinds::isTrue(status.conditions, "Ready"));
  EXPECT_TRUE(kinds::isTrue(status.conditions, "Paused"));
  EXPECT_EQ(kinds::findCondition(status.conditions, "RestartRequired")->message,
            "a non-live-updatable field was changed in the template spec");
  describeConditions(status, status, nullptr, {}, {});
  EXPECT_FALSE(kinds::findCondition(status.conditions, "Paused"));
  EXPECT_FALSE(kinds::findCondition(status.conditions, "RestartRequired"));
  EXPECT_EQ(kinds::findCondition(status.conditions, "Ready")->reason, "VMINotExists");
}

}  // namespace
}  // namespace godwit::controllers::virtual_machine
