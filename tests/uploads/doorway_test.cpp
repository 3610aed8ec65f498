#include "uploads/doorway.hpp"

#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "http/feed.hpp"
#include "http/stream.hpp"
#include "kinds/registry.hpp"
#include "store/memory/memory_store.hpp"
#include "uploads/token_requests.hpp"

namespace godwit::uploads {
namespace {

using namespace std::chrono_literals;

// A body of one piece, which has come whole or not.
class Body final : public http::Stream {
 public:
  explicit Body(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
  Taken take() override { return {.chunks = {text_}, .ended = true}; }
  void whenReady(std::function<void()> wake) override { wake(); }

 private:
  const http::Chunk text_;
};

// A server with the DataVolume "root", ready for an upload, its claim and its importer's pod on "node-1", which takes
// what comes unless a test has it say something else.
class UploadDoorway : public testing::Test {
 protected:
  UploadDoorway() {
    api.add(tokenRequestEndpoint(targets, tokens, clock));
    store("/api/v1/namespaces/default/persistentvolumeclaims",
          R"({"metadata":{"name":"root","annotations":{"cdi.kubevirt.io/storage.uploadPodName":"importer-root"}},)"
          R"("spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Mi"}}}})");
    store("/api/v1/namespaces/default/pods",
          R"({"metadata":{"name":"importer-root"},"spec":{"nodeName":"node-1","containers":[{"name":"importer"}]}})");
    store(kVolumes, R"({"metadata":{"name":"root"},"spec":{"source":{"upload":{}},"storage":{"resources":)"
                    R"({"requests":{"storage":"1Mi"}}}}})");
    status("/apis/cdi.kubevirt.io/v1beta1/namespaces/default/datavolumes/root", R"({"phase":"UploadReady"})");
  }

  static constexpr const char* kVolumes = "/apis/cdi.kubevirt.io/v1beta1/namespaces/default/datavolumes";
  static constexpr const char* kRequests =
      "/apis/upload.cdi.kubevirt.io/v1beta1/namespaces/default/uploadtokenrequests";

  http::Response ask(std::string method, std::string target, std::string body) {
    http::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    request.headers["content-type"] = request.method == "PATCH" ? "application/merge-patch+json" : "application/json";
    request.peer = http::PeerCertificate{"admin", {"system:masters"}};
    return door.handle(request);
  }
  void store(const std::string& where, const std::string& what) {
    const auto made = ask("POST", where, what);
    ASSERT_EQ(made.status, 201) << made.body;
  }
  void status(const std::string& where, const std::string& what) {
    const auto patched = ask("PATCH", where + "/status", R"({"status":)" + what + "}");
    ASSERT_EQ(patched.status, 200) << patched.body;
  }
  void podEnds(const std::string& what) { status("/api/v1/namespaces/default/pods/importer-root", what); }

  http::Response askForToken(const std::string& claim) {
    return ask("POST", kRequests, R"({"metadata":{"name":"token"},"spec":{"pvcName":")" + claim + "\"}}");
  }
  std::string token() {
    return object::textAt(object::parseDocument(askForToken("root").body).value(), {"status", "token"});
  }

  http::Response upload(const std::string& withToken, std::string target = "/v1beta1/upload-async") {
    http::Request request{.method = "POST", .target = std::move(target)};
    request.headers = {{"authorization", "Bearer " + withToken}, {"content-length", "5"}};
    if (door.takesStream(request)) request.stream = std::make_shared<Body>("image");
    return door.handle(request);
  }

  http::Response node(const std::string& name, const http::Request& request) {
    sent = name + " " + request.method + " " + request.target + " ";
    for (const auto& chunk : http::awaitNext(*request.stream).chunks) sent += *chunk;
    if (whenTaken) whenTaken();
    http::Response response;
    response.status = answer;
    response.body = "in the node's words\n";
    return response;
  }

  ManualClock clock;
  SeededRandom random{1};
  store::MemoryStore kept{1000};
  apiserver::ApiServer api{kept, kinds::all(), clock, random, {}};
  const Targets targets{api.objects(), api.catalog()};
  const Tokens tokens{"secret"};
  std::stop_source stop;
  Doorway door{{.api = api,
                .targets = targets,
                .tokens = tokens,
                .askNode = [this](const std::string& name, const http::Request& request) -> Result<http::Response> {
                  return node(name, request);
                },
                .clock = clock,
                .stop = stop.get_token()}};
  std::string sent;
  int answer = 200;
  std::function<void()> whenTaken;
};

TEST_F(UploadDoorway, SendsAnImageToTheNodeThatWaitsForIt) {
  EXPECT_EQ(upload(token()).status, 200);
  EXPECT_EQ(sent, "node-1 POST /uploads/default/importer-root?bytes=5 image");
}

TEST_F(UploadDoorway, AnswersWhoWaitsWhenTheClaimIsFilled) {
  whenTaken = [this] { podEnds(R"({"phase":"Succeeded"})"); };
  EXPECT_EQ(upload(token(), "/v1alpha1/upload").status, 200);
}

TEST_F(UploadDoorway, AnswersWhoWaitsWhenTheImageTurnsOutToBeBad) {
  whenTaken = [this] { podEnds(R"({"phase":"Failed","reason":"UnusableImage","message":"what a mess"})"); };
  const auto response = upload(token(), "/v1beta1/upload");
  EXPECT_EQ(response.status, 400);
  EXPECT_NE(response.body.find("what a mess"), std::string::npos);
}

TEST_F(UploadDoorway, LetsNobodyWaitForAServerThatStops) {
  stop.request_stop();
  EXPECT_EQ(upload(token(), "/v1beta1/upload").status, 503);
}

TEST_F(UploadDoorway, TellsWhetherItWouldTakeAnImage) {
  http::Request request{.target = "/v1beta1/upload-async"};
  request.headers["authorization"] = "Bearer " + token();
  EXPECT_EQ(door.handle(request).status, 200);
  request.headers.clear();
  EXPECT_EQ(door.handle(request).status, 401);
  EXPECT_EQ(sent, "");
}

TEST_F(UploadDoorway, WantsATokenThatIsGoodAndYoung) {
  const std::string good = token();
  EXPECT_EQ(upload(good + "x").status, 401);
  EXPECT_EQ(upload("").status, 401);
  clock.advance(5min);
  EXPECT_EQ(upload(good).status, 401);
  EXPECT_EQ(sent, "");
}

TEST_F(UploadDoorway, WantsATokenForThisVeryClaim) {
  const Grant grant{.claim = {"default", "root"}, .claimUid = "of an earlier one", .until = clock.now() + 1min};
  EXPECT_EQ(upload(tokens.issue(grant)).status, 401);
}

TEST_F(UploadDoorway, HasThoseComeAgainWhoAreTooEarly) {
  const std::string good = token();
  status(std::string(kVolumes) + "/root", R"({"phase":"UploadScheduled"})");
  const auto response = upload(good);
  EXPECT_EQ(response.status, 503);
  EXPECT_TRUE(response.headers.contains("retry-after"));
}

TEST_F(UploadDoorway, FillsNothingTwice) {
  const std::string good = token();
  status(std::string(kVolumes) + "/root", R"({"phase":"Succeeded"})");
  EXPECT_EQ(upload(good).status, 409);
  EXPECT_EQ(askForToken("root").status, 409);
}

TEST_F(UploadDoorway, PassesOnWhatTheNodeRefuses) {
  for (const auto& [from, to] : {std::pair(400, 400), {409, 409}, {404, 503}, {503, 503}, {500, 500}}) {
    answer = from;
    const auto response = upload(token());
    EXPECT_EQ(response.status, to);
    EXPECT_NE(response.body.find("in the node's words"), std::string::npos);
  }
}

TEST_F(UploadDoorway, GivesTokensForUploadsOnly) {
  EXPECT_EQ(askForToken("root").status, 201);
  EXPECT_EQ(askForToken("absent").status, 404);
  EXPECT_EQ(askForToken("").status, 422);
  store(
      "/api/v1/namespaces/default/persistentvolumeclaims",
      R"({"metadata":{"name":"plain"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Mi"}}}})");
  EXPECT_EQ(askForToken("plain").status, 409);
}

TEST_F(UploadDoorway, LeavesAllElseToTheServer) {
  EXPECT_EQ(ask("GET", "/api/v1/namespaces/default/pods", "").status, 200);
  EXPECT_FALSE(door.takesStream({.method = "POST", .target = "/api/v1/namespaces/default/pods"}));
  EXPECT_EQ(ask("DELETE", "/v1beta1/upload", "").status, 401);
}

}  // namespace
}  // namespace godwit::uploads
