#include "subresources/target_volume_rule.hpp"

#include <gtest/gtest.h>

namespace godwit::subresources {
namespace {

// Harvester's own cases: a VM that runs on claim "old", and claims of 10Gi and more.
class TargetVolumeRule : public testing::Test {
 protected:
  std::string judge(const std::string& templates) {
    const object::Document machine =
        json::parse(R"({"metadata": {"namespace": "default", "name": "vm", "annotations":
          {"harvesterhci.io/volumeClaimTemplates": )" +
                    json::serialize(json::value(templates)) +
                    R"(}}, "spec": {"running": true, "template": {"spec": {"volumes": [{"name": "root", )" + source +
                    R"(}]}}}, "status": {"printableStatus": ")" + status + R"("}})")
            .as_object();
    const auto checked = checkTargetVolumes(before, machine, neighbourhood);
    return checked ? "" : checked.error().problems.at(0).problem;
  }

  static kinds::PersistentVolumeClaim claimOf(const std::string& size) {
    kinds::PersistentVolumeClaim claim;
    claim.spec.resources.requests = {{"storage", size}};
    return claim;
  }

  static std::string wishFor(const std::string& source, const std::string& target) {
    return R"([{"metadata":{"name":")" + source + R"("},"spec":{},"targetVolume":")" + target + R"("}])";
  }

  object::Document before;
  std::string source = R"("persistentVolumeClaim": {"claimName": "old"})";
  std::string status = "Running";
  std::map<std::string, kinds::PersistentVolumeClaim> claims = {
      {"old", claimOf("10Gi")}, {"equal", claimOf("10Gi")}, {"larger", claimOf("20Gi")}, {"smaller", claimOf("9Gi")}};
  std::string used;
  Neighbourhood neighbourhood = {
      .findClaim = [this](const std::string& name) -> Result<std::optional<kinds::PersistentVolumeClaim>> {
        const auto found = claims.find(name);
        return found == claims.end() ? std::nullopt : std::optional(found->second);
      },
      .isUsedByAnother = [this](const std::string& claim) -> Result<bool> { return claim == used; }};
};

TEST_F(TargetVolumeRule, LetsThoseBeWhoDoNotAsk) {
  EXPECT_EQ(judge(""), "");
  EXPECT_EQ(judge(R"([{"metadata":{"name":"old"},"spec":{}}])"), "");
}

TEST_F(TargetVolumeRule, TakesATargetThatIsAsLargeOrLarger) {
  EXPECT_EQ(judge(wishFor("old", "equal")), "");
  EXPECT_EQ(judge(wishFor("old", "larger")), "");
}

TEST_F(TargetVolumeRule, TakesTheFormThatWasProposed) {
  EXPECT_EQ(judge(R"([{"pvc":{"metadata":{"name":"old"}},"targetVolume":"equal"}])"), "");
}

TEST_F(TargetVolumeRule, TakesADataVolumeForASource) {
  source = R"("dataVolume": {"name": "old"})";
  EXPECT_EQ(judge(wishFor("old", "equal")), "");
}

TEST_F(TargetVolumeRule, RefusesASmallerTarget) {
  EXPECT_EQ(judge(wishFor("old", "smaller")),
            "targetVolume smaller size (9Gi) must not be less than source volume old size (10Gi)");
}

TEST_F(TargetVolumeRule, GoesByWhatAClaimHasGot) {
  claims["equal"].status.capacity = {{"storage", "9Gi"}};
  EXPECT_NE(judge(wishFor("old", "equal")), "");
}

TEST_F(TargetVolumeRule, RefusesATargetThatIsNotThere) {
  EXPECT_EQ(judge(wishFor("old", "nothing")), "targetVolume PVC default/nothing not found");
}

TEST_F(TargetVolumeRule, RefusesATargetOfAnotherVm) {
  used = "equal";
  EXPECT_EQ(judge(wishFor("old", "equal")),
            "PVC default/equal is already used by other VM, please use a shareable RWX volume.");
}

TEST_F(TargetVolumeRule, RefusesASourceThatIsNotAttached) {
  EXPECT_EQ(judge(wishFor("larger", "equal")), "PVC larger is not attached to the VM");
}

TEST_F(TargetVolumeRule, RefusesAVmThatDoesNotRun) {
  status = "Stopped";
  EXPECT_EQ(judge(wishFor("old", "equal")), "VM must be running to set targetVolume for volume migration");
}

TEST_F(TargetVolumeRule, RefusesTwoTargetsAtATime) {
  EXPECT_EQ(
      judge(R"([{"metadata":{"name":"old"},"targetVolume":"equal"},{"metadata":{"name":"x"},"targetVolume":"y"}])"),
      "only one volume migration is allowed at a time");
}

TEST_F(TargetVolumeRule, RefusesEntriesWithoutAName) {
  EXPECT_EQ(judge(R"([{"targetVolume":"equal"}])"), "PVC content must not be empty when targetVolume is set");
  EXPECT_EQ(judge("[{}]"), "the volumeClaimTemplates annotaion is invalid: PVC name is required");
}

TEST_F(TargetVolumeRule, RefusesWhatCannotBeRead) {
  EXPECT_TRUE(judge("[{").starts_with("failed to unmarshal volumeClaimTemplates annotation: "));
}

TEST_F(TargetVolumeRule, LetsAMoveGoOnThatIsUnderWay) {
  source = R"("persistentVolumeClaim": {"claimName": "equal"})";
  status = "Migrating";
  EXPECT_EQ(judge(wishFor("old", "equal")), "");
}

TEST_F(TargetVolumeRule, LooksOnlyAtWhatChanges) {
  const std::string bad = wishFor("old", "nothing");
  before = {{"metadata", {{"annotations", {{"harvesterhci.io/volumeClaimTemplates", bad}}}}}};
  EXPECT_EQ(judge(bad), "");
}

}  // namespace
}  // namespace godwit::subresources
