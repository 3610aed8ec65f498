#include "subresources/eviction.hpp"

#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "kinds/registry.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::subresources {
namespace {

using Fate = Eviction::Fate;

kinds::Pod launcher() {
  kinds::Pod pod;
  pod.metadata.name = "pod";
  pod.metadata.labels = {{"kubevirt.io", "virt-launcher"}};
  pod.status.phase = "Running";
  return pod;
}

kinds::VirtualMachineInstance guest(bool movable) {
  kinds::VirtualMachineInstance instance;
  instance.metadata.name = "vm";
  instance.metadata.nameSpace = "default";
  instance.status.phase = kinds::InstancePhase::Running;
  instance.status.godwit.activePod = "pod";
  kinds::setCondition(instance.status.conditions,
                      {"LiveMigratable", movable ? "True" : "False", "DisksNotLiveMigratable", "disk a is local", {}},
                      {});
  return instance;
}

TEST(Eviction, OfAGuestThatCanMoveMovesIt) {
  EXPECT_EQ(judge(launcher(), guest(true)),
            (Eviction{Fate::Moves, "Eviction triggered evacuation of VMI \"default/vm\""}));
}

TEST(Eviction, OfAGuestThatCannotMoveIsRefusedWithTheCause) {
  const Eviction eviction = judge(launcher(), guest(false));
  EXPECT_EQ(eviction.fate, Fate::Remains);
  EXPECT_NE(eviction.why.find("not live-migratable: DisksNotLiveMigratable: disk a is local"), std::string::npos);
}

TEST(Eviction, OfAPodThatAGuestComesToIsRefused) {
  kinds::VirtualMachineInstance instance = guest(true);
  instance.status.godwit.activePod = "another";
  EXPECT_EQ(judge(launcher(), instance).fate, Fate::Remains);
}

TEST(Eviction, OfAPodThatWorksForOthersIsRefusedUntilItHasEnded) {
  for (const char* const app : {"migration", "importer"}) {
    kinds::Pod pod = launcher();
    pod.metadata.labels["kubevirt.io"] = app;
    EXPECT_EQ(judge(pod, std::nullopt).fate, Fate::Remains);
    pod.status.phase = "Failed";
    EXPECT_EQ(judge(pod, std::nullopt).fate, Fate::Goes);
  }
}

TEST(Eviction, OfAnyOtherPodIsItsDeletion) {
  kinds::VirtualMachineInstance ended = guest(true);
  ended.status.phase = kinds::InstancePhase::Succeeded;
  EXPECT_EQ(judge(launcher(), ended).fate, Fate::Goes);
  EXPECT_EQ(judge(launcher(), std::nullopt).fate, Fate::Goes);
  EXPECT_EQ(judge({}, std::nullopt).fate, Fate::Goes);
}

// A server with one node, which is cordoned or not, and a guest in its pod there.
class EvictionCall : public testing::Test {
 protected:
  EvictionCall()
      : store_(1000), server_(store_, kinds::all(), clock_, random_, {.tokens = {{"t", "admin", {"system:masters"}}}}) {
    server_.add(evictionEndpoint(server_.objects(), server_.catalog()));
  }

  http::Response send(std::string_view method, const std::string& target, const std::string& body = "") {
    http::Request request{.method = std::string(method), .target = target, .body = body};
    request.headers = {{"authorization", "Bearer t"}, {"content-type", "application/json"}};
    return server_.handle(request);
  }

  void prepare(bool cordoned) {
    ASSERT_EQ(
        send("POST", "/api/v1/nodes",
             std::string(R"({"metadata":{"name":"n"},"spec":{"unschedulable":)") + (cordoned ? "true" : "false") + "}}")
            .status,
        201);
    const auto made = send(
        "POST", instances_,
        R"({"metadata":{"name":"vm"},"spec":{},"status":{"phase":"Running","nodeName":"n","godwit":{"activePod":"pod"},)"
        R"("conditions":[{"type":"LiveMigratable","status":"True"}]}})");
    ASSERT_EQ(made.status, 201) << made.body;
    const std::string uid = object::textAt(object::parseDocument(made.body).value(), {"metadata", "uid"});
    ASSERT_EQ(send("POST", pods_,
                   R"({"metadata":{"name":"pod","labels":{"kubevirt.io":"virt-launcher","kubevirt.io/vmi-name":"vm",)"
                   R"("kubevirt.io/created-by":")" +
                       uid + R"("}},"spec":{"nodeName":"n","containers":[{"name":"c"}]},"status":{"phase":"Running"}})")
                  .status,
              201);
  }

  object::Document instance() { return object::parseDocument(send("GET", instances_ + "/vm").body).value(); }

  const std::string instances_ = "/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances";
  const std::string pods_ = "/api/v1/namespaces/default/pods";
  ManualClock clock_;
  SeededRandom random_{1};
  store::MemoryStore store_;
  apiserver::ApiServer server_;
};

TEST_F(EvictionCall, PutsItOnRecordThatTheGuestIsToLeave) {
  prepare(true);
  const auto answer = send("POST", pods_ + "/pod/eviction", R"({"metadata":{"name":"pod"}})");
  EXPECT_EQ(answer.status, 429);
  EXPECT_NE(answer.body.find("TooManyRequests"), std::string::npos);
  EXPECT_EQ(object::textAt(instance(), {"status", "evacuationNodeName"}), "n");
  EXPECT_TRUE(object::find(instance(), {"status", "godwit", "evacuationFollowsCordon"})->as_bool());
}

TEST_F(EvictionCall, ChangesNothingWhenItIsATrial) {
  prepare(false);
  EXPECT_EQ(send("POST", pods_ + "/pod/eviction", R"({"deleteOptions":{"dryRun":["All"]}})").status, 429);
  EXPECT_EQ(object::textAt(instance(), {"status", "evacuationNodeName"}), "");
}

TEST_F(EvictionCall, DeletesAPodOfAGuestThatIsToEnd) {
  prepare(false);
  send("DELETE", instances_ + "/vm");
  EXPECT_EQ(send("POST", pods_ + "/pod/eviction").status, 201);
  EXPECT_EQ(send("GET", pods_ + "/pod").status, 404);
}

TEST_F(EvictionCall, RefusesABodyAboutAnotherPod) {
  prepare(false);
  EXPECT_EQ(send("POST", pods_ + "/pod/eviction", R"({"metadata":{"name":"other"}})").status, 400);
  EXPECT_EQ(send("POST", pods_ + "/nobody/eviction").status, 404);
}

}  // namespace
}  // namespace godwit::subresources
