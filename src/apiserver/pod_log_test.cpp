#include "apiserver/pod_log.hpp"

#include <gtest/gtest.h>

#include "apiserver/status.hpp"
#include "apiserver/world_test.hpp"

namespace godwit::apiserver::testing {
namespace {

class PodLog : public ::testing::Test {
 protected:
  PodLog() {
    const auto askNode = [this](const std::string& node, http::Request request) -> Result<http::Response> {
      asked = node + " " + request.target;
      if (silent) return fail(Code::Internal, "node \"n1\" does not answer");
      return respondText(answer.first, answer.second);
    };
    world.server.add(podLogEndpoint(world.server.objects(), *world.server.catalog().find("", "v1", "pods"), askNode));
    createPod("p", R"("nodeName":"n1","containers":[{"name":"compute"}])");
  }

  void createPod(std::string_view name, std::string_view spec) {
    const auto made = world.post(kPods, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{{}}}}})", name, spec));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  http::Response log(std::string_view podAndQuery) { return world.get(fmt::format("{}/{}", kPods, podAndQuery)); }

  World world;
  std::string asked;
  std::pair<int, std::string> answer = {200, "hello\n"};
  bool silent = false;
};

TEST_F(PodLog, IsWhatThePodsNodeHas) {
  const http::Response response = log("p/log");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "hello\n");
  EXPECT_EQ(response.headers.at("content-type"), "text/plain");
  EXPECT_EQ(asked, "n1 /containerLogs/default/p/compute");
}

TEST_F(PodLog, PassesOnWhatTheNodeKnowsAndNothingElse) {
  log("p/log?container=compute&follow=true&tailLines=5&sinceTime=2026-01-02T03:04:05Z&pretty=true");
  EXPECT_EQ(asked, "n1 /containerLogs/default/p/compute?follow=true&sinceTime=2026-01-02T03%3A04%3A05Z&tailLines=5");
}

TEST_F(PodLog, KnowsTheContainersOfThePod) {
  EXPECT_EQ(refusal(log("p/log?container=sidecar")), "400 BadRequest: container sidecar is not valid for pod p");
  createPod("two", R"("nodeName":"n1","containers":[{"name":"a"},{"name":"b"}])");
  EXPECT_EQ(refusal(log("two/log")),
            "400 BadRequest: a container name must be specified for pod two, choose one of: [a b]");
  EXPECT_EQ(log("two/log?container=b").status, 200);
  EXPECT_EQ(asked, "n1 /containerLogs/default/two/b");
}

TEST_F(PodLog, OfAPodThatIsNowhereIsRefused) {
  createPod("unbound", R"("containers":[{"name":"compute"}])");
  EXPECT_EQ(refusal(log("unbound/log")),
            R"(400 BadRequest: container "compute" in pod "unbound" is waiting to start: ContainerCreating)");
  EXPECT_EQ(refusal(log("nobody/log")), R"(404 NotFound: pods "nobody" not found)");
  EXPECT_EQ(asked, "");
}

TEST_F(PodLog, IsRefusedInTheWordsOfTheNode) {
  answer = {400, "tailLines: Invalid value\n"};
  EXPECT_EQ(refusal(log("p/log")), "400 BadRequest: tailLines: Invalid value");
  answer = {404, "pod \"p\" does not exist\n"};
  EXPECT_EQ(refusal(log("p/log")), R"(404 NotFound: pod "p" does not exist)");
  answer = {403, "Forbidden\n"};
  EXPECT_EQ(refusal(log("p/log")), R"(500 InternalError: node "n1" answers with 403: Forbidden)");
}

TEST_F(PodLog, SaysWhyANodeIsSilent) {
  silent = true;
  EXPECT_EQ(refusal(log("p/log")), R"(500 InternalError: node "n1" does not answer)");
}

}  // namespace
}  // namespace godwit::apiserver::testing
