#include "subresources/harvester_actions.hpp"

#include <gtest/gtest.h>

#include "apiserver/status.hpp"

namespace godwit::subresources {
namespace {

// Answers as it is told, and remembers what it was asked.
class StandInApi final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    asked.push_back(request);
    const auto found = answers.find(request.method + " " + request.target);
    return found == answers.end() ? apiserver::respondText(404, "{}") : apiserver::respondText(200, found->second);
  }

  std::map<std::string, std::string> answers;
  std::vector<http::Request> asked;
};

constexpr const char* kNodes =
    "GET /apis/subresources.kubevirt.io/v1/namespaces/prod/virtualmachines/web/migratablenodes";
constexpr const char* kInstance = "GET /apis/kubevirt.io/v1/namespaces/prod/virtualmachineinstances/web";
const std::string kMigrations = "/apis/kubevirt.io/v1/namespaces/prod/virtualmachineinstancemigrations";

class Actions : public testing::Test {
 protected:
  http::Response act(const std::string& action, const std::string& body = "") {
    http::Request request{.method = "POST",
                          .target = "/v1/harvester/kubevirt.io.virtualmachines/prod/web?action=" + action,
                          .headers = {{"authorization", "Bearer of-the-caller"}},
                          .body = body};
    return actions.handle(request);
  }

  StandInApi api;
  HarvesterActions actions{api};
};

TEST_F(Actions, FindNodesAsTheCaller) {
  api.answers[kNodes] = R"({"nodes":["node-2"]})";
  EXPECT_EQ(act("findMigratableNodes").body, R"({"nodes":["node-2"]})");
  EXPECT_EQ(api.asked.at(0).headers.at("authorization"), "Bearer of-the-caller");
}

constexpr const char* kRunning = R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})";

TEST_F(Actions, MigrateToANodeThatWouldTakeTheGuestAndToNoOther) {
  api.answers[kInstance] = kRunning;
  api.answers[kNodes] = R"({"nodes":["node-2"]})";
  api.answers["POST " + kMigrations] = "{}";
  EXPECT_EQ(act("migrate", R"({"nodeName":"node-3"})").status, 400);
  EXPECT_EQ(api.asked.back().method, "GET") << "nothing is made";
  EXPECT_EQ(act("migrate", R"({"nodeName":"node-2"})").status, 204);
  EXPECT_NE(
      api.asked.back().body.find(R"("matchFields":[{"key":"metadata.name","operator":"In","values":["node-2"]}])"),
      std::string::npos)
      << api.asked.back().body;
}

TEST_F(Actions, DoNotMigrateAGuestThatIsNotThere) {
  EXPECT_EQ(act("migrate").status, 404);
  EXPECT_EQ(api.asked.size(), 1u);
}

TEST_F(Actions, DoNotMigrateAGuestThatDoesNotRun) {
  api.answers[kInstance] = R"({"status":{"phase":"Pending"}})";
  EXPECT_NE(act("migrate").body.find("The VM is not in running state"), std::string::npos);
  EXPECT_EQ(api.asked.size(), 1u);
}

class NotReady : public Actions, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Status, NotReady, testing::Values("False", "Unknown"),
                         [](const auto& status) { return std::string(status.param); });

TEST_P(NotReady, IsNotMigrated) {
  api.answers[kInstance] =
      fmt::format(R"({{"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"{}"}}]}}}})", GetParam());
  EXPECT_NE(act("migrate").body.find("Can't migrate the VM, the VM is not in ready status"), std::string::npos);
  EXPECT_EQ(api.asked.size(), 1u);
}

// No KubeVirt object has to say that it is ready: what answers is.
TEST_F(Actions, MigrateToWhereverTheSchedulerSays) {
  api.answers[kInstance] = kRunning;
  api.answers["POST " + kMigrations] = "{}";
  EXPECT_EQ(act("migrate").status, 204);
  EXPECT_EQ(api.asked.back().body.find("addedNodeSelectorTerm"), std::string::npos);
}

TEST_F(Actions, AbortTheMigrationThatHoldsTheGuest) {
  api.answers[kInstance] = R"({"status":{"migrationState":{"migrationUid":"two"}}})";
  api.answers["GET " + kMigrations + "?labelSelector=kubevirt.io%2Fvmi-name%3Dweb"] =
      R"({"items":[{"metadata":{"name":"a","uid":"one"}},{"metadata":{"name":"b","uid":"two"}}]})";
  api.answers["DELETE " + kMigrations + "/b"] = "{}";
  EXPECT_EQ(act("abortMigration").status, 204);
  EXPECT_EQ(api.asked.back().target, kMigrations + "/b");
}

TEST_F(Actions, AbortAMigrationThatHasNotBegun) {
  api.answers[kInstance] = R"({"status":{"migrationState":{"migrationUid":"two"}}})";
  api.answers["GET " + kMigrations + "?labelSelector=kubevirt.io%2Fvmi-name%3Dweb"] =
      R"({"items":[{"metadata":{"name":"b","uid":"two"},"status":{"phase":"Pending"}}]})";
  api.answers["DELETE " + kMigrations + "/b"] = "{}";
  EXPECT_EQ(act("abortMigration").status, 204);
}

TEST_F(Actions, DoNotAbortWhatWasNotBegun) {
  api.answers[kInstance] = R"({"status":{"phase":"Pending"}})";
  EXPECT_NE(act("abortMigration").body.find("The VM is not in migrating state"), std::string::npos);
  EXPECT_EQ(api.asked.size(), 1u);
}

TEST_F(Actions, DoNotAbortWhatHasEnded) {
  api.answers[kInstance] = R"({"status":{"migrationState":{"migrationUid":"two","completed":true}}})";
  EXPECT_NE(act("abortMigration").body.find("The VM is not in migrating state"), std::string::npos);
  EXPECT_EQ(api.asked.size(), 1u);
}

TEST_F(Actions, DoNotAbortWhatHasFailed) {
  api.answers[kInstance] = R"({"status":{"migrationState":{"migrationUid":"two"}}})";
  api.answers["GET " + kMigrations + "?labelSelector=kubevirt.io%2Fvmi-name%3Dweb"] =
      R"({"items":[{"metadata":{"name":"b","uid":"two"},"status":{"phase":"Failed"}}]})";
  EXPECT_NE(act("abortMigration").body.find(R"(cannot abort the migration as it is in \"Failed\" phase)"),
            std::string::npos);
  EXPECT_EQ(api.asked.back().method, "GET") << "nothing is deleted";
}

constexpr const char* kMachine = "/apis/kubevirt.io/v1/namespaces/prod/virtualmachines/web";
constexpr const char* kTemplates = R"("annotations":{"harvesterhci.io/volumeClaimTemplates":)";

TEST_F(Actions, AskForAMoveOfAVolume) {
  api.answers[std::string("GET ") + kMachine] = std::string(R"({"metadata":{"resourceVersion":"7",)") + kTemplates +
                                                R"("[{\"metadata\":{\"name\":\"old\"}}]"}}})";
  api.answers[std::string("PATCH ") + kMachine] = "{}";
  EXPECT_EQ(act("storageMigration", R"({"sourceVolume":"old","targetVolume":"new"})").status, 204);
  EXPECT_EQ(api.asked.back().body, std::string(R"({"metadata":{"resourceVersion":"7",)") + kTemplates +
                                       R"("[{\"metadata\":{\"name\":\"old\"},\"targetVolume\":\"new\"}]"}}})");
}

TEST_F(Actions, RefuseAMoveThatIsNotWellSaid) {
  api.answers[std::string("GET ") + kMachine] = "{}";
  EXPECT_NE(act("storageMigration", R"({"sourceVolume":"old"})").body.find("are required"), std::string::npos);
  EXPECT_NE(act("storageMigration", R"({"sourceVolume":"a","targetVolume":"a"})").body.find("must be different"),
            std::string::npos);
  EXPECT_NE(act("storageMigration", R"({"sourceVolume":"a","targetVolume":"b"})")
                .body.find("source volume a not found in volumeClaimTemplates annotation"),
            std::string::npos);
}

const std::string kUnderWay =
    std::string(R"({"metadata":{"resourceVersion":"7",)") + kTemplates +
    R"("[{\"metadata\":{\"name\":\"old\"},\"targetVolume\":\"new\"}]"}},)"
    R"("spec":{"template":{"spec":{"volumes":[{"name":"root","dataVolume":{"name":"new","hotpluggable":true}}]}}}})";

TEST_F(Actions, CancelAMoveOfAVolumeInOneEdit) {
  api.answers[std::string("GET ") + kMachine] = kUnderWay;
  api.answers[kInstance] = R"({"spec":{"volumes":[{"name":"root","persistentVolumeClaim":{"claimName":"old"}}]}})";
  api.answers[std::string("PATCH ") + kMachine] = "{}";
  EXPECT_EQ(act("cancelStorageMigration").status, 204);
  EXPECT_EQ(
      api.asked.back().body,
      std::string(R"({"metadata":{"resourceVersion":"7",)") + kTemplates +
          R"("[{\"metadata\":{\"name\":\"old\"}}]"}},"spec":{"updateVolumesStrategy":null,"template":{"spec":{"volumes":)"
          R"([{"name":"root","persistentVolumeClaim":{"claimName":"old","hotpluggable":true}}]}}}})");
}

TEST_F(Actions, DoNotCancelAMoveThatHasBeenMade) {
  api.answers[std::string("GET ") + kMachine] = kUnderWay;
  api.answers[kInstance] = R"({"spec":{"volumes":[{"name":"root","persistentVolumeClaim":{"claimName":"new"}}]}})";
  const auto refused = act("cancelStorageMigration");
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("the VM uses volume new already"), std::string::npos) << refused.body;
}

TEST_F(Actions, DoNotCancelWhatNobodyAskedFor) {
  api.answers[std::string("GET ") + kMachine] = "{}";
  EXPECT_NE(act("cancelStorageMigration").body.find("no active storage migration found"), std::string::npos);
}

TEST_F(Actions, AreNamedWhenAnotherIsAskedFor) { EXPECT_EQ(act("explode").status, 404); }

// A VM that runs, in a cluster of two nodes, read by somebody who may change it; each test bends one thing.
class OfferedActions : public Actions {
 protected:
  OfferedActions() {
    api.answers[std::string("GET ") + kMachine] = R"({"metadata":{"name":"web"}})";
    api.answers[kInstance] = R"({"status":{"phase":"Running"}})";
    api.answers["GET /api/v1/nodes"] = R"({"items":[{},{}]})";
    api.answers["POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"] = R"({"status":{"allowed":true}})";
  }

  std::string offered() {
    http::Request request{.method = "GET",
                          .target = "/v1/harvester/kubevirt.io.virtualmachines/prod/web",
                          .headers = {{"host", "here:6443"}},
                          .body = ""};
    const auto machine = object::parseDocument(actions.handle(request).body).value();
    EXPECT_EQ(object::textAt(machine, {"metadata", "name"}), "web");
    std::string names;
    for (const auto& [name, link] : machine.at("actions").as_object()) {
      EXPECT_EQ(link.as_string(),
                "https://here:6443/v1/harvester/kubevirt.io.virtualmachines/prod/web?action=" + std::string(name));
      names += std::string(names.empty() ? "" : " ") + std::string(name);
    }
    return names;
  }
};

TEST_F(OfferedActions, OfAGuestThatRunsAreAllThatBeginSomething) {
  EXPECT_EQ(offered(), "storageMigration migrate findMigratableNodes");
}

TEST_F(OfferedActions, OfAGuestThatOnlyItsNodeCanRunIsTheMoveOfItsVolumes) {
  api.answers[kInstance] =
      R"({"status":{"phase":"Running","conditions":[{"type":"LiveMigratable","status":"False"}]}})";
  EXPECT_EQ(offered(), "storageMigration");
}

TEST_F(OfferedActions, OfAGuestThatMovesIsToAbortThat) {
  api.answers[kInstance] = R"({"status":{"phase":"Running","migrationState":{"migrationUid":"one"}}})";
  EXPECT_EQ(offered(), "abortMigration");
}

TEST_F(OfferedActions, OfAVmWithATargetVolumeIsToCancelThat) {
  api.answers[std::string("GET ") + kMachine] = std::string(R"({"metadata":{"name":"web",)") + kTemplates +
                                                R"("[{\"metadata\":{\"name\":\"old\"},\"targetVolume\":\"new\"}]"}}})";
  api.answers.erase(kInstance);
  EXPECT_EQ(offered(), "cancelStorageMigration");
}

TEST_F(OfferedActions, AreNoneForWhoeverMayNotChangeTheVm) {
  api.answers["POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"] = R"({"status":{"allowed":false}})";
  EXPECT_EQ(offered(), "");
}

TEST_F(Actions, LetEverythingElsePass) {
  api.answers["GET /healthz"] = "ok";
  EXPECT_EQ(actions.handle({.method = "GET", .target = "/healthz"}).body, "ok");
}

}  // namespace
}  // namespace godwit::subresources
