#include "subresources/endpoints.hpp"

#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "kinds/registry.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::subresources {
namespace {

constexpr std::string_view kStored = "/apis/kubevirt.io/v1/namespaces/default/";
constexpr std::string_view kVerbs = "/apis/subresources.kubevirt.io/v1/namespaces/default/";

// A server with the VM "vm", of the strategy that a test asks for, and whatever instance it wants.
class Verbs : public testing::Test {
 protected:
  Verbs()
      : store_(1000), server_(store_, kinds::all(), clock_, random_, {.tokens = {{"t", "admin", {"system:masters"}}}}) {
    for (auto& endpoint : endpoints(server_.objects(), server_.catalog())) server_.add(std::move(endpoint));
  }

  http::Response send(std::string_view method, const std::string& target, const std::string& body) {
    http::Request request{.method = std::string(method), .target = target, .body = body};
    request.headers = {{"authorization", "Bearer t"}, {"content-type", "application/json"}};
    return server_.handle(request);
  }

  void machine(const std::string& strategy) {
    const auto made = send(
        "POST", std::string(kStored) + "virtualmachines",
        R"({"metadata":{"name":"vm"},"spec":{"runStrategy":")" + strategy +
            R"(","template":{"spec":{"volumes":[{"name":"root","persistentVolumeClaim":{"claimName":"root"}}]}}}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }

  void instance(const std::string& phase, const std::string& more = "") {
    const auto made = send(
        "POST", std::string(kStored) + "virtualmachineinstances",
        R"({"metadata":{"name":"vm"},"spec":{"volumes":[{"name":"root","persistentVolumeClaim":{"claimName":"root"}}]},)"
        R"("status":{"phase":")" +
            phase + "\"" + more + "}}");
    ASSERT_EQ(made.status, 201) << made.body;
  }

  // "202", or the code and the last words of the refusal.
  std::string ask(const std::string& what, const std::string& body = "") {
    const auto answer = send("PUT", std::string(kVerbs) + what, body);
    if (answer.status == 202) return "202";
    const std::string message =
        object::textAt(object::parseDocument(answer.body).value_or(json::object()), {"message"});
    const auto colon = message.rfind("\": ");
    return std::to_string(answer.status) + " " + (colon == std::string::npos ? message : message.substr(colon + 3));
  }
  std::string askMachine(const std::string& verb, const std::string& body = "") {
    return ask("virtualmachines/vm/" + verb, body);
  }
  std::string askInstance(const std::string& verb, const std::string& body = "") {
    return ask("virtualmachineinstances/vm/" + verb, body);
  }

  // The JSON at a path of the stored object.
  std::string stored(const std::string& plural, std::initializer_list<std::string_view> path) {
    const auto document = object::parseDocument(send("GET", std::string(kStored) + plural + "/vm", "").body);
    const json::value* found = object::find(*document, path);
    return found ? json::serialize(*found) : "";
  }
  std::string strategy() { return stored("virtualmachines", {"spec", "runStrategy"}); }
  std::string requests() { return stored("virtualmachines", {"status", "stateChangeRequests"}); }
  std::string uid() { return stored("virtualmachineinstances", {"metadata", "uid"}); }

  ManualClock clock_;
  SeededRandom random_{1};
  store::MemoryStore store_;
  apiserver::ApiServer server_;
};

TEST_F(Verbs, AreDiscoveredInBothVersions) {
  for (const char* version : {"v1", "v1alpha3"}) {
    const auto list = send("GET", std::string("/apis/subresources.kubevirt.io/") + version, "");
    EXPECT_NE(list.body.find("virtualmachines/addvolume"), std::string::npos) << list.body;
  }
  EXPECT_EQ(send("POST", std::string(kVerbs) + "virtualmachines/vm/start", "").status, 405);
}

TEST_F(Verbs, NeedAMachine) { EXPECT_EQ(askMachine("start").substr(0, 3), "404"); }

TEST_F(Verbs, StartAHaltedMachineByItsStrategy) {
  machine("Halted");
  EXPECT_EQ(askMachine("start"), "202");
  EXPECT_EQ(strategy(), "\"Always\"");
}

TEST_F(Verbs, StartAHaltedMachinePausedByARequest) {
  machine("Halted");
  EXPECT_EQ(askMachine("start", R"({"paused":true})"), "202");
  EXPECT_EQ(strategy(), "\"Halted\"");
  EXPECT_EQ(requests(), R"([{"action":"Start","data":{"paused":"true"}}])");
}

TEST_F(Verbs, StartAManualMachineByARequestAndNotTwice) {
  machine("Manual");
  EXPECT_EQ(askMachine("start"), "202");
  EXPECT_EQ(requests(), R"([{"action":"Start"}])");
  EXPECT_EQ(askMachine("start"), "409 unable to complete request: stop/start already underway");
}

TEST_F(Verbs, DoNotStartWhatRunsOrStartsByItself) {
  machine("Always");
  EXPECT_EQ(askMachine("start"), "409 Always does not support manual start requests");
  instance("Running");
  EXPECT_EQ(askMachine("start"), "409 VM is already running");
}

TEST_F(Verbs, StopByTheStrategyWhatAlwaysRuns) {
  machine("Always");
  instance("Running");
  EXPECT_EQ(askMachine("stop", R"({"gracePeriod":7,"dryRun":["All"]})"), "202");
  EXPECT_EQ(strategy(), "\"Always\"") << "it was only tried";
  EXPECT_EQ(askMachine("stop", R"({"gracePeriod":7})"), "202");
  EXPECT_EQ(strategy(), "\"Halted\"");
  EXPECT_EQ(stored("virtualmachineinstances", {"spec", "terminationGracePeriodSeconds"}), "7");
  EXPECT_EQ(askMachine("stop"), "409 Halted only supports manual stop requests with a shorter graceperiod");
  EXPECT_EQ(askMachine("stop", R"({"gracePeriod":0})"), "202");
}

TEST_F(Verbs, StopAManualMachineByARequestForItsInstance) {
  machine("Manual");
  EXPECT_EQ(askMachine("stop"), "409 VM is not running");
  instance("Running");
  EXPECT_EQ(askMachine("stop"), "202");
  EXPECT_EQ(requests(), R"([{"action":"Stop","uid":)" + uid() + "}]");
}

TEST_F(Verbs, RestartByTwoRequests) {
  machine("Always");
  EXPECT_EQ(askMachine("restart"), "409 VM is not running: Halted");
  instance("Running");
  EXPECT_EQ(askMachine("restart", R"({"gracePeriodSeconds":5})"),
            "400 gracePeriodSeconds can only be 0, which restarts by force; leave it out for a restart as usual");
  EXPECT_EQ(askMachine("restart", R"({"gracePeriodSeconds":0})"), "202");
  EXPECT_EQ(requests(), R"([{"action":"Stop","uid":)" + uid() + R"(},{"action":"Start"}])");
  EXPECT_EQ(stored("virtualmachineinstances", {"spec", "terminationGracePeriodSeconds"}), "0");
}

TEST_F(Verbs, DoNotRestartWhatIsHalted) {
  machine("Halted");
  EXPECT_EQ(askMachine("restart"), "409 RunStategy Halted does not support manual restart requests");
}

TEST_F(Verbs, TellTheFieldThatIsWrong) {
  machine("Halted");
  EXPECT_EQ(askMachine("start", R"({"pausd":true})"),
            "400 Can not unmarshal Request body to struct, error: unknown field \"pausd\"");
  EXPECT_NE(askMachine("stop", R"({"gracePeriod":-1})")
                .find("400 Can not unmarshal Request body to struct, error: "
                      "gracePeriod"),
            std::string::npos);
  EXPECT_EQ(askMachine("start", R"({"dryRun":["Some"]})").substr(0, 4), "400 ");
  EXPECT_EQ(strategy(), "\"Halted\"");
}

TEST_F(Verbs, PauseAndUnpauseByAnAnnotation) {
  instance("Running");
  EXPECT_EQ(askInstance("unpause"), "409 VMI is not paused");
  EXPECT_EQ(askInstance("pause"), "202");
  EXPECT_EQ(stored("virtualmachineinstances", {"metadata", "annotations", "godwit.io/paused"}), "\"true\"");
  EXPECT_EQ(askInstance("pause"), "409 VMI is already paused");
  EXPECT_EQ(askInstance("unpause"), "202");
  EXPECT_EQ(stored("virtualmachineinstances", {"metadata", "annotations", "godwit.io/paused"}), "");
}

TEST_F(Verbs, DoNotPauseAGuestThatIsMoving) {
  instance("Running", R"(,"migrationState":{"migrationUid":"m"})");
  EXPECT_EQ(askInstance("pause"), "409 Cannot pause VM 'vm' because it is currently being migrated");
}

TEST_F(Verbs, MigrateWhatRuns) {
  machine("Always");
  instance("Running");
  EXPECT_EQ(askMachine("migrate", R"({"addedNodeSelector":{"zone":"b"}})"), "202");
  const auto made = send("GET", std::string(kStored) + "virtualmachineinstancemigrations", "");
  EXPECT_NE(made.body.find(R"("generateName":"kubevirt-migrate-vm-")"), std::string::npos) << made.body;
  EXPECT_NE(made.body.find(R"("addedNodeSelector":{"zone":"b"})"), std::string::npos) << made.body;
  EXPECT_EQ(askInstance("pause"), "202");
  EXPECT_EQ(askMachine("migrate"), "409 Cannot migrate VM 'vm' because it is paused");
}

constexpr const char* kMore =
    R"({"name":"more","disk":{"cache":"none","lun":{}},"volumeSource":{"dataVolume":{"name":"more-claim"}}})";

TEST_F(Verbs, AddAVolumeToAGuestAndRemoveIt) {
  instance("Running");
  EXPECT_EQ(askInstance("addvolume", kMore), "202");
  EXPECT_EQ(stored("virtualmachineinstances", {"spec", "volumes"}),
            R"([{"name":"root","persistentVolumeClaim":{"claimName":"root"}},)"
            R"({"dataVolume":{"name":"more-claim","hotpluggable":true},"name":"more"}])");
  EXPECT_EQ(stored("virtualmachineinstances", {"spec", "domain", "devices", "disks"}),
            R"([{"cache":"none","lun":{"bus":"scsi"},"name":"more"}])");
  EXPECT_EQ(askInstance("addvolume", kMore),
            "409 Unable to add volume [more] because volume with that name already exists");
  EXPECT_EQ(askInstance("removevolume", R"({"name":"root"})"),
            "409 Unable to remove volume [root] because it is not hotpluggable");
  EXPECT_EQ(askInstance("removevolume", R"({"name":"nothing"})"),
            "409 Unable to remove volume [nothing] because it does not exist");
  EXPECT_EQ(askInstance("removevolume", R"({"name":"more-claim"})"), "202") << "by its claim";
  EXPECT_EQ(stored("virtualmachineinstances", {"spec", "domain", "devices", "disks"}), "[]");
}

TEST_F(Verbs, AddAVolumeToAMachineAndItsGuestAtOnce) {
  machine("Always");
  instance("Running");
  EXPECT_EQ(askMachine("addvolume", kMore), "202");
  EXPECT_NE(stored("virtualmachines", {"spec", "template", "spec", "volumes"}).find("more-claim"), std::string::npos);
  EXPECT_NE(stored("virtualmachineinstances", {"spec", "volumes"}).find("more-claim"), std::string::npos);
}

TEST_F(Verbs, FinishAVolumeThatOnlyTheGuestHasGot) {
  machine("Always");
  instance("Running");
  EXPECT_EQ(askInstance("addvolume", kMore), "202");
  EXPECT_EQ(askMachine("addvolume", kMore), "202") << "as after a call that ended half-way";
  EXPECT_NE(stored("virtualmachines", {"spec", "template", "spec", "volumes"}).find("more-claim"), std::string::npos);
}

TEST_F(Verbs, RefuseVolumesThatCannotCome) {
  instance("Running");
  EXPECT_EQ(askInstance("addvolume"), "400 name: AddVolumeOptions requires name to be set");
  EXPECT_EQ(askInstance("addvolume", R"({"name":"a"})"), "400 disk: AddVolumeOptions requires disk to not be nil");
  EXPECT_EQ(askInstance("addvolume", R"({"name":"a","disk":{"disk":{}}})"),
            "400 volumeSource: AddVolumeOptions requires VolumeSource to not be nil");
  EXPECT_EQ(
      askInstance("addvolume",
                  R"({"name":"a","disk":{"disk":{"bus":"sata"}},"volumeSource":{"dataVolume":{"name":"a"}}})"),
      "400 disk.disk.bus: Hotplug configuration for disk [a] requires bus to be 'scsi' or 'virtio'. [sata] is not "
      "permitted.");
}

TEST_F(Verbs, BringNoVolumeToAGuestThatIsMovingOrDoesNotRun) {
  instance("Running", R"(,"migrationState":{"migrationUid":"m"})");
  EXPECT_EQ(askInstance("addvolume", kMore),
            "409 a migration is in progress; volumes cannot come or go until it has ended");
  machine("Always");
  EXPECT_EQ(askMachine("addvolume", kMore),
            "409 a migration is in progress; volumes cannot come or go until it has ended");
  EXPECT_EQ(stored("virtualmachines", {"spec", "template", "spec", "volumes"}).find("more-claim"), std::string::npos);
}

}  // namespace
}  // namespace godwit::subresources
