#include "controllers/migration/following.hpp"

#include <gtest/gtest.h>

#include "object/patch.hpp"

namespace godwit::controllers::migration {
namespace {

object::Document machine() {
  return json::parse(R"({
    "metadata": {"annotations": {"harvesterhci.io/volumeClaimTemplates":
      "[{\"metadata\":{\"name\":\"old\"},\"spec\":{}},{\"metadata\":{\"name\":\"data\"},\"spec\":{}}]"}},
    "spec": {
      "dataVolumeTemplates": [{"metadata": {"name": "data"}}, {"metadata": {"name": "old"}}],
      "template": {"spec": {
        "domain": {"devices": {"disks": [{"name": "root", "disk": {"bus": "virtio"}}]}},
        "volumes": [{"name": "root", "dataVolume": {"name": "old"}},
                    {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}}}})")
      .as_object();
}

Following following() {
  kinds::PersistentVolumeClaim claim;
  claim.metadata.name = "new";
  claim.spec.storageClassName = "fast";
  const object::Document before = machine();
  return {before, afterMove(before, {{"old", "new"}}, {{"new", claim}})};
}

TEST(FollowingMachine, NamesTheNewClaimEverywhereAndForgetsTheTemplate) {
  EXPECT_EQ(following().after, json::parse(R"({
    "metadata": {"annotations": {"harvesterhci.io/volumeClaimTemplates":
      "[{\"metadata\":{\"name\":\"new\"},\"spec\":{\"storageClassName\":\"fast\",\"volumeMode\":\"Filesystem\"}},{\"metadata\":{\"name\":\"data\"},\"spec\":{}}]"}},
    "spec": {
      "dataVolumeTemplates": [{"metadata": {"name": "data"}}],
      "template": {"spec": {
        "domain": {"devices": {"disks": [{"name": "root", "disk": {"bus": "virtio"}}]}},
        "volumes": [{"name": "root", "persistentVolumeClaim": {"claimName": "new"}},
                    {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}}}})"));
}

TEST(FollowingMachine, TellsTheChangeAsAPatchThatMakesIt) {
  const Following change = following();
  const json::array patch = patchOf(change);
  EXPECT_EQ(patch[0], json::parse(R"({"op": "replace", "path": "/spec/template/spec/volumes/0",
    "value": {"name": "root", "persistentVolumeClaim": {"claimName": "new"}}})"));
  EXPECT_EQ(patch[1], json::parse(R"({"op": "remove", "path": "/spec/dataVolumeTemplates/1"})"));
  json::value patched = change.before;
  ASSERT_TRUE(object::applyJsonPatch(patched, patch));
  EXPECT_EQ(patched, json::value(change.after));
}

TEST(FollowingMachine, LeavesAVmAloneThatDoesNotUseTheClaim) {
  const object::Document before = machine();
  EXPECT_TRUE(patchOf({before, afterMove(before, {{"other", "new"}}, {})}).empty());
}

}  // namespace
}  // namespace godwit::controllers::migration
