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
          .sourceBytes = 1 << 20,
          .betweenLuns = false,
          .destination = {.exists = true, .bytes = 1 << 20}};
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

TEST(ValidateVolumes, LetsALunGoToALun) {
  auto instance = instanceWith("vm", "source");
  instance->spec.domain.devices.disks[0].lun = kinds::DiskDevice{"scsi"};
  auto candidate = healthy(instance);
  candidate.betweenLuns = true;
  EXPECT_EQ(judged(candidate).first, VolumeValidation::Valid);
}

TEST(ValidateVolumes, RefusesADestinationThatIsTooSmallByASector) {
  auto candidate = healthy();
  candidate.destination.bytes -= 512;
  EXPECT_EQ(judged(candidate), std::pair(VolumeValidation::Rejected,
                                         std::string("The destination claim destination is smaller than the source: "
                                                     "1048064 bytes where 1048576 are needed")));
}

struct BadDestination {
  const char* name;
  Candidate::Destination destination;
  const char* word;  // of the reason
};

class RefusedDestination : public testing::TestWithParam<BadDestination> {};

TEST_P(RefusedDestination, IsNamedWithWhatToDo) {
  auto candidate = healthy();
  candidate.destination = GetParam().destination;
  const auto [validation, why] = judged(candidate);
  EXPECT_EQ(validation, VolumeValidation::Rejected);
  EXPECT_NE(why.find("destination claim destination"), std::string::npos) << why;
  EXPECT_NE(why.find(GetParam().word), std::string::npos) << why;
}

INSTANTIATE_TEST_SUITE_P(
    Each, RefusedDestination,
    testing::Values(BadDestination{"Missing", {.exists = false}, "does not exist; make it"},
                    BadDestination{"Leaving", {.exists = true, .leaving = true, .bytes = 1 << 20}, "is being deleted"},
                    BadDestination{"ReadOnly", {.exists = true, .readOnly = true, .bytes = 1 << 20}, "only be read"},
                    BadDestination{"Source", {.exists = true, .isSource = true, .bytes = 1 << 20}, "same storage"},
                    BadDestination{"Used", {.exists = true, .user = "VM other", .bytes = 1 << 20}, "by VM other"}),
    [](const auto& tested) { return tested.param.name; });

TEST(ValidateVolumes, RefusesAClassThatDoesNotExist) {
  auto candidate = healthy();
  candidate.volume.destinationStorageClass = "fast";
  candidate.destination = {.toBeMade = true};
  EXPECT_NE(judged(candidate).second.find("Storage class fast does not exist"), std::string::npos);
  candidate.destination.classExists = true;
  EXPECT_EQ(judged(candidate).first, VolumeValidation::Valid);
}

TEST(ValidateVolumes, WaitsUntilTheDestinationIsFilled) {
  auto candidate = healthy();
  candidate.destination.unfilled = "DataVolume destination is ImportInProgress";
  EXPECT_EQ(judged(candidate), std::pair(VolumeValidation::Pending, candidate.destination.unfilled));
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

TEST(ValidateVolumes, RefusesVolumesOfWhichSomeBelongToNoInstance) {
  auto other = healthy(nullptr);
  other.volume = {"source2", "destination2"};
  EXPECT_EQ(validate({healthy(), other}).states[1].reason, reason::kNotRunning);
  const Verdict verdict = validate({healthy(), other, healthy(instanceWith("other", "source3"))});
  EXPECT_EQ(verdict.states[0].reason, reason::kMultipleAndNotRunning);
}

TEST(ValidateVolumes, WaitsForAnInstanceThatStarts) {
  auto instance = instanceWith("vm", "source");
  instance->status.phase = kinds::InstancePhase::Scheduled;
  EXPECT_EQ(judged(healthy(instance)), std::pair(VolumeValidation::Pending, std::string(reason::kNotRunning)));
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
