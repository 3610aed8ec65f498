#include "apiserver/world_test.hpp"

#include "apiserver/binding.hpp"
#include "apiserver/status.hpp"
#include "apiserver/swagger.hpp"

namespace godwit::apiserver::testing {
namespace {

http::Response ask(World& world, std::string_view target, http::Headers headers) {
  http::Request request;
  request.target = target;
  request.headers = std::move(headers);
  return world.server.handle(request);
}

TEST(Authentication, RefusesABadToken) {
  World world;
  EXPECT_EQ(refusal(ask(world, kConfigMaps, {{"authorization", "Bearer bogus"}})), "401 Unauthorized: Unauthorized");
  EXPECT_EQ(ask(world, kConfigMaps, {{"authorization", "Bearer "}}).status, 401);
  EXPECT_EQ(ask(world, kConfigMaps, {{"authorization", "Basic secret"}}).status, 401);
}

TEST(Authentication, LetsNobodyInWithoutCredentials) {
  World world;
  const auto refused = ask(world, kConfigMaps, {});
  EXPECT_EQ(
      refusal(refused),
      R"(403 Forbidden: configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API )"
      R"(group "" in the namespace "default")");
  EXPECT_EQ(numberAt(refused, {"details"}), R"({"kind":"configmaps"})");
  EXPECT_EQ(refusal(ask(world, "/apis", {})),
            R"(403 Forbidden: forbidden: User "system:anonymous" cannot get path "/apis")");
  EXPECT_EQ(ask(world, "/version", {}).status, 200);
  EXPECT_EQ(ask(world, "/livez", {}).body, "ok");
}

TEST(Authentication, KnowsAClientByItsCertificate) {
  World world;
  http::Request request;
  request.method = "POST";
  request.target = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  request.body = "{}";
  request.peer = http::PeerCertificate{"node-1", {"system:nodes"}};
  EXPECT_EQ(numberAt(world.server.handle(request), {"status", "userInfo"}),
            R"({"username":"node-1","groups":["system:nodes","system:authenticated"]})");
}

TEST(Reviews, AnswerWhetherSomethingIsAllowed) {
  World world;
  const auto answered = world.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                                   R"({"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1",)"
                                   R"("spec":{"resourceAttributes":{"verb":"create","resource":"pods"}}})");
  EXPECT_EQ(answered.status, 201);
  EXPECT_EQ(numberAt(answered, {"status", "allowed"}), "true");
  const auto stranger = world.post("/apis/authorization.k8s.io/v1/subjectaccessreviews",
                                   R"({"spec":{"user":"x","resourceAttributes":{"verb":"get","resource":"pods"}}})");
  EXPECT_EQ(numberAt(stranger, {"status", "allowed"}), "false");
}

TEST(Reviews, SayWhoseATokenIs) {
  World world;
  const std::string path = "/apis/authentication.k8s.io/v1/tokenreviews";
  EXPECT_EQ(at(world.post(path, R"({"spec":{"token":"secret"}})"), {"status", "user", "username"}), "admin");
  EXPECT_EQ(numberAt(world.post(path, R"({"spec":{"token":"other"}})"), {"status", "authenticated"}), "false");
}

TEST(Routing, DoesNotKnowOtherPaths) {
  World world;
  for (const char* path : {"/nope", "/apis/bench.example.com/v1/namespaces/default/gadgets", "/apis/nope/v1",
                           "/api/v1/namespaces/default/namespaces/x", "/apis/bench.example.com/v1/widgets/g1",
                           "/api/v1/namespaces/default/pods/p/nope"}) {
    const auto response = world.get(path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_EQ(response.body, "404 page not found\n") << path;
  }
}

TEST(Routing, RefusesMethodsThatMakeNoSense) {
  World world;
  EXPECT_EQ(refusal(world.send("PUT", kWidgets, widget("g9"))), "400 BadRequest: name must be provided");
  EXPECT_EQ(world.post(fmt::format("{}/g9", kWidgets), widget("g9")).status, 405);
  EXPECT_EQ(world.send("BREW", kWidgets).status, 405);
}

TEST(Routing, SeesANamespaceBothAsAPlaceAndAsAnObject) {
  World world;
  EXPECT_EQ(at(world.get("/api/v1/namespaces/default"), {"kind"}), "Namespace");
  EXPECT_EQ(at(world.get("/api/v1/namespaces/default/status"), {"kind"}), "Namespace");
  EXPECT_EQ(at(world.get("/api/v1/namespaces/default/pods"), {"kind"}), "PodList");
}

TEST(Discovery, ListsGroupsAndVersions) {
  World world;
  EXPECT_EQ(numberAt(world.get("/api"), {"versions"}), R"(["v1"])");
  const json::object groups = bodyOf(world.get("/apis"));
  EXPECT_EQ(groups.at("kind"), "APIGroupList");
  EXPECT_EQ(json::serialize(groups.at("groups").at(0)),
            R"({"name":"bench.example.com","versions":[{"groupVersion":"bench.example.com/v1","version":"v1"}],)"
            R"("preferredVersion":{"groupVersion":"bench.example.com/v1","version":"v1"}})");
  EXPECT_EQ(at(world.get("/apis/bench.example.com"), {"preferredVersion", "version"}), "v1");
}

TEST(Discovery, ListsResourcesAndTheirSubresources) {
  World world;
  const json::object list = bodyOf(world.get("/apis/bench.example.com/v1"));
  EXPECT_EQ(list.at("groupVersion"), "bench.example.com/v1");
  EXPECT_EQ(list.at("resources").at(0).at("name"), "widgets");
  EXPECT_EQ(json::serialize(list.at("resources").at(0).at("shortNames")), R"(["wd"])");
  EXPECT_EQ(json::serialize(list.at("resources").at(1)),
            R"({"name":"widgets/status","singularName":"","namespaced":true,"kind":"Widget",)"
            R"("verbs":["get","patch","update"]})");
}

TEST(Discovery, IsAggregatedForThoseWhoAsk) {
  World world;
  const auto response = world.get("/apis",
                                  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                                  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
                                  "application/json");
  EXPECT_EQ(response.headers.at("content-type"),
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  const json::object list = bodyOf(response);
  const json::value& resource = list.at("items").at(0).at("versions").at(0).at("resources").at(0);
  EXPECT_EQ(list.at("items").at(0).at("metadata").at("name"), "bench.example.com");
  EXPECT_EQ(resource.at("scope"), "Namespaced");
  EXPECT_EQ(json::serialize(resource.at("subresources").at(0)),
            R"({"subresource":"status","responseKind":{"group":"bench.example.com","version":"v1","kind":"Widget"},)"
            R"("verbs":["get","patch","update"]})");
}

TEST(OpenApi, DescribesEveryKind) {
  World world;
  const json::object index = bodyOf(world.get("/openapi/v3"));
  EXPECT_TRUE(index.at("paths").as_object().contains("api/v1"));
  const json::object document = bodyOf(world.get("/openapi/v3/apis/bench.example.com/v1?hash=1"));
  const json::value& schema = document.at("components").at("schemas").at("com.example.bench.v1.Widget");
  EXPECT_EQ(json::serialize(schema.at("x-kubernetes-group-version-kind")),
            R"([{"group":"bench.example.com","version":"v1","kind":"Widget"}])");
  EXPECT_EQ(schema.at("properties").at("spec").at("properties").at("size").at("type"), "integer");
  EXPECT_EQ(world.get("/openapi/v3/apis/nope/v1").status, 404);
}

TEST(OpenApi, SpeaksTheFormOfOlderClientsToo) {
  World world;
  EXPECT_EQ(bodyOf(world.get("/openapi/v2")).at("swagger"), "2.0");
  const auto protobuf = world.get("/openapi/v2", kSwaggerProtobufAsked);
  EXPECT_EQ(protobuf.status, 200);
  EXPECT_EQ(protobuf.headers.at("content-type"), kSwaggerProtobufType);
  EXPECT_NE(protobuf.body.find("com.example.bench.v1.Widget"), std::string::npos);
  EXPECT_EQ(world.get("/openapi/v2", "text/html").status, 406);
}

class Binding : public ::testing::Test {
 protected:
  Binding() {
    world_.server.add(
        bindingEndpoint(world_.server.objects(), *world_.server.catalog().find("", "v1", "pods"), world_.clock));
    world_.post(kPods, R"({"metadata":{"name":"p"},"spec":{}})");
  }

  http::Response bindTo(std::string_view node) {
    return world_.post(fmt::format("{}/p/binding", kPods), fmt::format(R"({{"target":{{"name":"{}"}}}})", node));
  }

  World world_;
};

TEST_F(Binding, SetsTheNodeAndTheCondition) {
  EXPECT_EQ(bindTo("n1").status, 201);
  const auto pod = world_.get(fmt::format("{}/p", kPods));
  EXPECT_EQ(at(pod, {"spec", "nodeName"}), "n1");
  EXPECT_EQ(bodyOf(pod).at("status").at("conditions").at(0).at("type"), "PodScheduled");
}

TEST_F(Binding, HappensOnce) {
  bindTo("n1");
  const auto refused = bindTo("n2");
  EXPECT_EQ(refused.status, 409);
  EXPECT_TRUE(at(refused, {"message"}).ends_with(R"(pod p is already assigned to node "n1")"));
}

TEST_F(Binding, WantsAPodAndANode) {
  EXPECT_EQ(bindTo("").status, 422);
  EXPECT_EQ(refusal(world_.post(fmt::format("{}/q/binding", kPods), R"({"target":{"name":"n1"}})")),
            R"(404 NotFound: pods "q" not found)");
  EXPECT_EQ(world_.get(fmt::format("{}/p/binding", kPods)).status, 405);
}

TEST_F(Binding, IsDiscovered) {
  EXPECT_NE(world_.get("/api/v1").body.find(R"("name":"pods/binding")"), std::string::npos);
}

TEST(Endpoints, MayStandInGroupsOfTheirOwn) {
  World world;
  world.server.add({.group = "subresources.example.com",
                    .version = "v1",
                    .resource = "widgets",
                    .subresource = "start",
                    .kind = "Widget",
                    .verbs = {"update"},
                    .answer = [](const EndpointCall& call) -> Result<http::Response> {
                      return respondText(202, object::show(call.key));
                    }});
  const auto started = world.send("PUT", "/apis/subresources.example.com/v1/namespaces/default/widgets/w/start");
  EXPECT_EQ(started.status, 202);
  EXPECT_EQ(started.body, "default/w");
  EXPECT_EQ(world.get("/apis/subresources.example.com/v1").status, 200);
}

TEST(Paths, AnswerOnlyThoseWhoAreKnown) {
  World world;
  world.server.add("metrics", [] { return respondText(200, "up 1\n"); });
  EXPECT_EQ(world.get("/metrics").body, "up 1\n");
  EXPECT_EQ(world.get("/metrics/more").status, 404);
  EXPECT_EQ(refusal(ask(world, "/metrics", {})),
            R"(403 Forbidden: forbidden: User "system:anonymous" cannot get path "/metrics")");
}

TEST(Endpoints, TellWhatKindTheyTake) {
  World world;
  world.server.add({.group = "",
                    .version = "v1",
                    .resource = "pods",
                    .subresource = "eviction",
                    .kind = "Eviction",
                    .kindGroup = "policy",
                    .kindVersion = "v1",
                    .verbs = {"create"},
                    .answer = [](const EndpointCall&) -> Result<http::Response> { return respondText(201, ""); }});
  EXPECT_NE(world.get("/api/v1").body.find(R"("name":"pods/eviction","singularName":"","namespaced":true,)"
                                           R"("kind":"Eviction","verbs":["create"],"group":"policy","version":"v1")"),
            std::string::npos);
}

}  // namespace
}  // namespace godwit::apiserver::testing
