#include "controllers/claim_names.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers {
namespace {

TEST(RenameClaims, ChangesTheVolumesThatMoveAndNothingElse) {
  json::value spec = json::parse(R"({"volumes": [
    {"name": "root", "dataVolume": {"name": "a"}, "extra": 1},
    {"name": "data", "persistentVolumeClaim": {"claimName": "b"}}]})");
  renameClaims(spec, {{"a", "c"}});
  EXPECT_EQ(spec, json::parse(R"({"volumes": [
    {"name": "root", "persistentVolumeClaim": {"claimName": "c"}, "extra": 1},
    {"name": "data", "persistentVolumeClaim": {"claimName": "b"}}]})"));
}

TEST(RenameClaims, LetsAVolumeComeAndGoAsBefore) {
  json::value spec =
      json::parse(R"({"volumes": [{"name": "data", "dataVolume": {"name": "a", "hotpluggable": true}}]})");
  renameClaims(spec, {{"a", "c"}});
  EXPECT_EQ(spec, json::parse(R"({"volumes": [
    {"name": "data", "persistentVolumeClaim": {"claimName": "c", "hotpluggable": true}}]})"));
}

TEST(RenameClaims, ReachesDisksThatNameTheirClaimThemselves) {
  json::value spec = json::parse(R"({"domain": {"devices": {"disks": [
    {"type": "PersistentVolumeClaim", "source": {"name": "a"}, "target": {"device": "sda"}},
    {"name": "data", "disk": {}}]}}})");
  renameClaims(spec, {{"a", "c"}});
  EXPECT_EQ(spec, json::parse(R"({"domain": {"devices": {"disks": [
    {"type": "PersistentVolumeClaim", "source": {"name": "c"}, "target": {"device": "sda"}},
    {"name": "data", "disk": {}}]}}})"));
}

TEST(ChangedClaims, AreThoseOfVolumesOfTheSameName) {
  kinds::VirtualMachineInstanceSpec wanted, used;
  used.volumes = {{"root", std::nullopt, kinds::DataVolumeReference{"a"}}, {"data", kinds::ClaimReference{"b"}, {}}};
  wanted.volumes = {{"data", kinds::ClaimReference{"b"}, {}},
                    {"root", kinds::ClaimReference{"c"}, {}},
                    {"new", kinds::ClaimReference{"d"}, {}}};
  EXPECT_EQ(changedClaims(wanted, volumesInUse(used)),
            (std::vector<kinds::MigratedVolumeStatus>{{"root", {"a"}, {"c"}}}));
}

}  // namespace
}  // namespace godwit::controllers
