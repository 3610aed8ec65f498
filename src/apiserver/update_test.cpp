#include <thread>

#include "apiserver/world_test.hpp"

namespace godwit::apiserver::testing {
namespace {

const std::string kG1 = fmt::format("{}/g1", kWidgets);
const std::string kG1Status = kG1 + "/status";

class Update : public ::testing::Test {
 protected:
  Update() { created_ = version(world_.post(kWidgets, widget("g1"))); }

  std::string seen(std::string_view revision) { return fmt::format(R"(,"resourceVersion":"{}")", revision); }

  World world_;
  std::string created_;
};

TEST_F(Update, ReplacesTheSpecAndCountsTheGeneration) {
  const auto updated = world_.send("PUT", kG1, widget("g1", seen(created_), 2));
  EXPECT_EQ(updated.status, 200);
  EXPECT_EQ(numberAt(updated, {"spec", "size"}), "2");
  EXPECT_EQ(numberAt(updated, {"metadata", "generation"}), "2");
  EXPECT_NE(version(updated), created_);
}

TEST_F(Update, RefusesWhatWasSeenTooLongAgo) {
  const auto refused = world_.send("PUT", kG1, widget("g1", seen("1"), 2));
  EXPECT_EQ(refusal(refused),
            R"(409 Conflict: Operation cannot be fulfilled on widgets.bench.example.com "g1": the object has been )"
            "modified; please apply your changes to the latest version and try again");
}

TEST_F(Update, WantsAVersionForCustomKindsOnly) {
  EXPECT_TRUE(refusal(world_.send("PUT", kG1, widget("g1")))
                  .ends_with("metadata.resourceVersion: Invalid value: 0: must be specified for an update"));
  world_.post(kConfigMaps, R"({"metadata":{"name":"c"},"data":{"a":"b"}})");
  const auto updated =
      world_.send("PUT", fmt::format("{}/c", kConfigMaps), R"({"metadata":{"name":"c"},"data":{"a":"c"}})");
  EXPECT_EQ(at(updated, {"data", "a"}), "c");
}

TEST_F(Update, ThatChangesNothingKeepsTheVersion) {
  EXPECT_EQ(version(world_.send("PUT", kG1, widget("g1", seen(created_)))), created_);
  EXPECT_EQ(version(world_.patch(kG1, kMerge, R"({"spec":{"size":1}})")), created_);
}

TEST_F(Update, CannotRename) {
  EXPECT_EQ(refusal(world_.send("PUT", kG1, widget("g2", seen(created_)))),
            "400 BadRequest: the name of the object (g2) does not match the name on the URL (g1)");
}

TEST_F(Update, CannotChangeWhatTheServerGave) {
  const auto before = world_.get(kG1);
  const auto patched = world_.patch(kG1, kMerge, R"({"metadata":{"creationTimestamp":null,"generation":9}})");
  EXPECT_EQ(patched.body, before.body);
  EXPECT_EQ(world_.patch(kG1, kMerge, R"({"metadata":{"uid":"other"}})").status, 409);
}

TEST_F(Update, CannotChangeImmutableFields) {
  world_.patch(kG1, kMerge, R"({"spec":{"origin":"here"}})");
  const auto refused = world_.patch(kG1, kMerge, R"({"spec":{"origin":"there"}})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_NE(refused.body.find("field is immutable"), std::string::npos);
}

TEST_F(Update, AsksTheRulesThatWereHandedIn) {
  world_.server.objects().admitBy(*world_.server.catalog().find("bench.example.com", "v1", "widgets"),
                                  [](const object::Document& before, const object::Document& after) -> Result<> {
                                    if (before.at("spec") == after.at("spec")) return {};
                                    return fail(Code::Forbidden, "widgets stay as they are");
                                  });
  EXPECT_EQ(refusal(world_.patch(kG1, kMerge, R"({"spec":{"size":2}})")), "403 Forbidden: widgets stay as they are");
  EXPECT_EQ(world_.patch(kG1, kMerge, R"({"metadata":{"labels":{"a":"b"}}})").status, 200);
}

TEST_F(Update, KeepsTheStatusOutOfTheObject) {
  world_.patch(kG1Status, kMerge, R"({"status":{"count":3,"phase":"Ready"},"spec":{"size":1000}})");
  const auto patched = world_.patch(kG1, kMerge, R"({"spec":{"size":4},"status":{"phase":"Broken"}})");
  EXPECT_EQ(numberAt(patched, {"spec", "size"}), "4");
  EXPECT_EQ(at(patched, {"status", "phase"}), "Ready");
}

TEST_F(Update, KeepsTheObjectOutOfTheStatus) {
  const auto patched = world_.patch(kG1Status, kMerge, R"({"status":{"count":3},"spec":{"size":1000}})");
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(numberAt(patched, {"spec", "size"}), "1");
  EXPECT_EQ(numberAt(patched, {"status", "count"}), "3");
  EXPECT_EQ(numberAt(patched, {"metadata", "generation"}), "1");
  EXPECT_EQ(world_.get(kG1Status).body, patched.body);
}

TEST_F(Update, OfTheStatusHonoursTheVersion) {
  EXPECT_EQ(world_.send("PUT", kG1Status, widget("g1", seen("1"))).status, 409);
}

TEST_F(Update, HasNoStatusOfKindsWithoutOne) {
  world_.post(kConfigMaps, R"({"metadata":{"name":"c"}})");
  EXPECT_EQ(world_.get(fmt::format("{}/c/status", kConfigMaps)).status, 404);
  EXPECT_EQ(refusal(world_.get(fmt::format("{}/nope/status", kPods))), R"(404 NotFound: pods "nope" not found)");
}

using Patch = Update;

TEST_F(Patch, MergesIntoTheObject) {
  const auto patched = world_.patch(kG1, kMerge, R"({"spec":{"size":5},"metadata":{"labels":{"a":"b"}}})");
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(numberAt(patched, {"spec"}), R"({"size":5,"color":"red"})");
  EXPECT_EQ(at(patched, {"metadata", "labels", "a"}), "b");
}

TEST_F(Patch, TakesAVersionInAMergeAsAPrecondition) {
  const std::string right = fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}},"spec":{{"size":5}}}})", created_);
  EXPECT_EQ(world_.patch(kG1, kMerge, right).status, 200);
  EXPECT_EQ(world_.patch(kG1, kMerge, right).status, 409);
}

TEST_F(Patch, CarriesOutJsonPatches) {
  const auto patched = world_.patch(kG1, kJsonPatch, R"([{"op":"replace","path":"/spec/size","value":6}])");
  EXPECT_EQ(numberAt(patched, {"spec", "size"}), "6");
}

TEST_F(Patch, RefusesAJsonPatchWhoseTestFails) {
  const auto refused = world_.patch(kG1, kJsonPatch, R"([{"op":"test","path":"/spec/size","value":99}])");
  EXPECT_EQ(refusal(refused), "422 Invalid: the server rejected our request due to an error in our request");
  EXPECT_EQ(numberAt(refused, {"details"}), "{}");
}

TEST_F(Patch, TakesStrategicPatchesForBuiltInKindsOnly) {
  EXPECT_EQ(
      refusal(world_.patch(kG1, kStrategic, R"({"spec":{"size":7}})")),
      "415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: "
      "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
  world_.post(kConfigMaps, R"({"metadata":{"name":"c"},"data":{"a":"b"}})");
  const auto patched = world_.patch(fmt::format("{}/c", kConfigMaps), kStrategic, R"({"data":{"x":"y"}})");
  EXPECT_EQ(numberAt(patched, {"data"}), R"({"a":"b","x":"y"})");
}

TEST_F(Patch, AppliesADocumentToWhatIsThere) {
  const auto applied = world_.patch(kG1 + "?fieldManager=m1&force=true", kApply, "spec: {color: green}");
  EXPECT_EQ(applied.status, 200);
  EXPECT_EQ(numberAt(applied, {"spec"}), R"({"size":1,"color":"green"})");
}

TEST_F(Patch, CreatesWhatIsAppliedAndNotThere) {
  const auto applied = world_.patch(fmt::format("{}/new?fieldManager=m1", kWidgets), kApply, widget("new"));
  EXPECT_EQ(applied.status, 201);
  EXPECT_EQ(world_.get(fmt::format("{}/new", kWidgets)).status, 200);
}

TEST_F(Patch, WantsAFieldManagerForWhatIsApplied) { EXPECT_EQ(world_.patch(kG1, kApply, widget("g1")).status, 422); }

TEST_F(Patch, KeepsNothingOfADryRun) {
  const auto dry = world_.patch(kG1 + "?dryRun=All", kMerge, R"({"spec":{"size":5}})");
  EXPECT_EQ(numberAt(dry, {"spec", "size"}), "5");
  EXPECT_EQ(version(world_.get(kG1)), created_);
}

TEST_F(Patch, DoesNotHoldOldUnknownFieldsAgainstTheCaller) {
  world_.patch(kG1, kMerge, R"({"spec":{"bogus":1}})");
  EXPECT_EQ(world_.patch(kG1 + "?fieldValidation=Strict", kMerge, R"({"spec":{"size":2}})").status, 200);
  EXPECT_EQ(world_.patch(kG1 + "?fieldValidation=Strict", kMerge, R"({"spec":{"other":2}})").status, 400);
}

TEST_F(Patch, LosesNothingWhenSeveralPatchAtOnce) {
  constexpr int kEach = 50;
  const auto patchOften = [&](std::string_view who) {
    for (int i = 0; i < kEach; ++i)
      world_.patch(kG1, kMerge, fmt::format(R"({{"metadata":{{"labels":{{"{}{}":"x"}}}}}})", who, i));
  };
  {
    const std::jthread a(patchOften, "a");
    const std::jthread b(patchOften, "b");
    const std::jthread c(patchOften, "c");
  }
  EXPECT_EQ(bodyOf(world_.get(kG1)).at("metadata").at("labels").as_object().size(), 3u * kEach);
}

}  // namespace
}  // namespace godwit::apiserver::testing
