#include "controllers/volume_migration/validate.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::volume_migration {
namespace {

using kinds::VolumeValidation;

std::shared_ptr<kinds::VirtualMachineInstance> instanceWith(const std::string& name, const std::string& claim) {
  auto instance = std::make_shared<kinds::VirtualMachineInstance>();
  instance->metadata.name = name;
  instance->status.phase = kinds::InstancePhase::Running;
  instance->spec.volumes = {{"disk0", kinds::ClaimReference{claim}, std::nullopt}};
  instance->spec.domain.devices.disks = {
      {.name = "disk0", .disk = kinds::DiskDevice{"virtio"}, .lun = {}, .serial = ""}};
  return instance;
}

// A volume that may move; each test bends one thing.
Candidate healthy(std::shared_ptr<kinds::VirtualMachineInstance> instance = instanceWith("vm", "source")) {
  return {.volume = {"source", "destination"},
          .instance = std::move(instance),
          .destinationExists = true,
          .destinationInUse = false,
          .sourceBytes = 1 << 20,
          .destinationBytes = 1 << 20};
}

std::pair<VolumeValidation, std::string> judged(const Candidate& candidate) {
  const auto state = validate({candidate}).states.at(0);
  return {state.validation, state.reason};
}

TEST(ValidateVolumes, AcceptsAVolumeOfARunningInstance) {
  const Verdict verdict = validate({healthy()});
  EXPECT_TRUE(verdict.allValid());
  EXPECT_EQ(verdict.instanceName, "vm");
}

TEST(ValidateVolumes, RefusesADestinationThatIsToGo) {
  auto candidate = healthy();
  candidate.destinationLeaving = true;
  EXPECT_EQ(judged(candidate), std::pair(VolumeValidation::Rejected, std::string(reason::kDestinationLeaving)));
}

TEST(ValidateVolumes, WaitsForAnInstance) {
  auto candidate = healthy();
  candidate.instance.reset();
  EXPECT_EQ(judged(candidate), std::pair(VolumeValidation::Pending, std::string(reason::kNoInstance)));
}

TEST(ValidateVolumes, RefusesAShareableDisk) {
  auto instance = instanceWith("vm", "source");
  instance->spec.domain.devices.disks[0].shareable = true;
  EXPECT_EQ(judged(healthy(instance)), std::pair(VolumeValidation::Rejected, std::string(reason::kShareable)));
}

TEST(ValidateVolumes, RefusesALun) {
  auto instance = instanceWith("vm", "source");
  instance->spec.domain.devices.disks[0].lun = kinds::DiskDevice{"scsi"};
  EXPECT_EQ(judged(healthy(instance)), std::pair(VolumeValidation::Rejected, std::string(reason::kLun)));
}

TEST(ValidateVolumes, RefusesASharedFilesystem) {
  auto instance = instanceWith("vm", "source");
  instance->spec.domain.devices.disks.clear();
  instance->spec.domain.devices.filesystems = {{"disk0"}};
  EXPECT_EQ(judged(healthy(instance)), std::pair(VolumeValidation::Rejected, std::string(reason::kFilesystem)));
}

TEST(ValidateVolumes, RefusesADestinationThatIsTooSmallByAByte) {
  auto candidate = healthy();
  candidate.destinationBytes -= 1;
  EXPECT_EQ(judged(candidate), std::pair(VolumeValidation::Rejected, std::string(reason::kDestinationTooSmall)));
}

TEST(ValidateVolumes, RefusesADestinationThatIsInUse) {
  auto candidate = healthy();
  candidate.destinationInUse = true;
  EXPECT_EQ(judged(candidate), std::pair(VolumeValidation::Rejected, std::string(reason::kDestinationInUse)));
}

TEST(ValidateVolumes, RefusesTheSameClaimAsSourceAndDestination) {
  auto candidate = healthy();
  candidate.volume.destinationClaim = candidate.volume.sourceClaim;
  EXPECT_EQ(judged(candidate), std::pair(VolumeValidation::Rejected, std::string(reason::kSameClaim)));
}

TEST(ValidateVolumes, RefusesVolumesOfDifferentInstances) {
  auto other = healthy(instanceWith("other", "source2"));
  other.volume = {"source2", "destination2"};
  const Verdict verdict = validate({healthy(), other});
  EXPECT_TRUE(verdict.anyRejected());
  EXPECT_EQ(verdict.states[0].reason, reason::kMultipleInstances);
  EXPECT_EQ(verdict.states[1].reason, reason::kMultipleInstances);
}

TEST(ValidateVolumes, ListsTheOthersAsValidBesideARefusedOne) {
  auto instance = instanceWith("vm", "source");
  instance->spec.volumes.push_back({"disk1", kinds::ClaimReference{"source2"}, std::nullopt});
  instance->spec.domain.devices.disks.push_back(
      {.name = "disk1", .disk = kinds::DiskDevice{"virtio"}, .lun = {}, .serial = "", .shareable = true});
  auto second = healthy(instance);
  second.volume = {"source2", "destination2"};
  const Verdict verdict = validate({healthy(instance), second});
  EXPECT_EQ(verdict.states[0].validation, VolumeValidation::Valid);
  EXPECT_EQ(verdict.states[1].validation, VolumeValidation::Rejected);
}

}  // namespace
}  // namespace godwit::controllers::volume_migration
