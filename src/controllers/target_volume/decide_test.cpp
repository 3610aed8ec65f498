#include "controllers/target_volume/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::target_volume {
namespace {

object::Document machine(const std::string& templates, const std::string& volumes, const std::string& more = "") {
  return json::parse(R"({"metadata": {"annotations": {"harvesterhci.io/volumeClaimTemplates": )" +
                     json::serialize(json::value(templates)) + R"(}}, "spec": {)" + more +
                     R"("template": {"spec": {"volumes": )" + volumes + "}}}}")
      .as_object();
}

const std::string kWish =
    R"([{"metadata":{"name":"old"},"spec":{},"targetVolume":"new"},{"metadata":{"name":"data"}}])";
const std::string kOld = R"([{"name": "root", "persistentVolumeClaim": {"claimName": "old"}},
                             {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])";
const std::string kNew = R"([{"name": "root", "persistentVolumeClaim": {"claimName": "new"}},
                             {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])";
const std::string kMigration = R"("updateVolumesStrategy": "Migration", )";

// A running guest on the claim, and a target that exists.
Observed guestOn(const std::string& claim) {
  Observed observed;
  observed.runs = true;
  observed.guest.emplace().volumes = {{"root", kinds::ClaimReference{claim}, std::nullopt},
                                      {"data", kinds::ClaimReference{"data"}, std::nullopt}};
  observed.targets["new"].metadata.name = "new";
  observed.targets["new"].spec.storageClassName = "fast";
  return observed;
}

json::value volumesOf(const object::Document& document) {
  return document.at("spec").at("template").at("spec").at("volumes");
}

TEST(TargetVolume, MakesTheSpecNameItAndAsksForMigration) {
  const auto after = decide(machine(kWish, kOld), guestOn("old"));
  EXPECT_EQ(volumesOf(after), json::parse(kNew)) << "and no other volume";
  EXPECT_EQ(after.at("spec").at("updateVolumesStrategy"), "Migration");
}

TEST(TargetVolume, IsNamedAsADataVolumeWhereOneOwnsIt) {
  auto observed = guestOn("old");
  observed.ofDataVolumes = {"new"};
  const std::string source = R"([{"name": "root", "dataVolume": {"name": "old", "hotpluggable": true}}])";
  EXPECT_EQ(volumesOf(decide(machine(kWish, source), observed)),
            json::parse(R"([{"name": "root", "dataVolume": {"name": "new", "hotpluggable": true}}])"));
}

TEST(TargetVolume, KeepsAVolumeHotpluggable) {
  const std::string source =
      R"([{"name": "root", "persistentVolumeClaim": {"claimName": "old", "hotpluggable": true}}])";
  EXPECT_EQ(volumesOf(decide(machine(kWish, source), guestOn("old"))),
            json::parse(R"([{"name": "root", "persistentVolumeClaim": {"claimName": "new", "hotpluggable": true}}])"));
}

TEST(TargetVolume, WaitsUntilTheGuestUsesIt) {
  const auto before = machine(kWish, kNew, kMigration);
  EXPECT_EQ(decide(before, guestOn("old")), before);
}

TEST(TargetVolume, IsDescribedAndForgottenWhenTheGuestUsesIt) {
  const auto after = decide(machine(kWish, kNew, kMigration), guestOn("new"));
  EXPECT_EQ(after,
            machine(R"([{"metadata":{"name":"new"},"spec":{"storageClassName":"fast","volumeMode":"Filesystem"}},)"
                    R"({"metadata":{"name":"data"}}])",
                    kNew));
}

TEST(TargetVolume, IsNotTakenForReachedWhenTheGuestEndedOnItsWay) {
  auto observed = guestOn("old");
  observed.guest.reset();
  observed.runs = false;
  observed.onTheWay = true;
  const auto before = machine(kWish, kNew, kMigration);
  EXPECT_EQ(decide(before, observed), before);
  observed.onTheWay = false;
  EXPECT_NE(decide(before, observed), before);
}

TEST(TargetVolume, OfAMachineThatIsToGoIsLeftAlone) {
  auto leaving = machine(kWish, kOld);
  leaving["metadata"].as_object()["deletionTimestamp"] = "2026-11-01T00:00:00Z";
  EXPECT_EQ(decide(leaving, guestOn("old")), leaving);
}

TEST(TargetVolume, OfAMachineThatDoesNotRunIsLeftAlone) {
  auto observed = guestOn("old");
  observed.runs = false;
  EXPECT_EQ(decide(machine(kWish, kOld), observed), machine(kWish, kOld));
}

TEST(TargetVolume, IsMissedByNobodyWhoDoesNotAskForIt) {
  for (const std::string list : {"", "[]", R"([{"metadata":{"name":"old"}}])", "not JSON"}) {
    const auto before = machine(list, kOld);
    EXPECT_EQ(decide(before, guestOn("old")), before);
    EXPECT_TRUE(targetsOf(before).empty());
  }
  EXPECT_EQ(targetsOf(machine(kWish, kOld)), (std::set<std::string>{"new"}));
}

}  // namespace
}  // namespace godwit::controllers::target_volume
