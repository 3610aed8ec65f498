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

TEST(RenameClaims, ReachesDisksThatNameTheirClaimThemselves) {
  json::value spec = json::parse(R"({"domain": {"devices": {"disks": [
    {"type": "PersistentVolumeClaim", "source": {"name": "a"}, "target": {"device": "sda"}},
    {"name": "data", "disk": {}}]}}})");
  renameClaims(spec, {{"a", "c"}});
  EXPECT_EQ(spec, json::parse(R"({"domain": {"devices": {"disks": [
    {"type": "PersistentVolumeClaim", "source": {"name": "c"}, "target": {"device": "sda"}},
    {"name": "data", "disk": {}}]}}})"));
}

}  // namespace
}  // namespace godwit::controllers
