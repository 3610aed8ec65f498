#include "apiserver/node_lines.hpp"

#include <gtest/gtest.h>

#include "http/test_site.hpp"

namespace godwit::apiserver {
namespace {

http::KeyPair madeByItself() {
  return http::signItself({.commonName = "n1", .ipAddresses = {"127.0.0.1"}, .server = true}, SystemClock().now())
      .value();
}

// A node that answers with a certificate of its own, and an API server that reads about it in its Node.
class LinesToANode : public ::testing::Test {
 protected:
  ~LinesToANode() override { stop(); }

  void start() {
    const std::pair<const char*, const std::string&> files[] = {
        {"crt", own.certificatePem}, {"key", own.keyPem}, {"ca", authority.certificatePem}};
    for (const auto& [name, text] : files) std::ofstream(directory.file(name)) << text;
    const http::TlsServerFiles tls{directory.file("crt"), directory.file("key"), directory.file("ca")};
    server = http::Server::listen({.tls = tls, .workerThreads = 1}, handler).value();
    serving = std::jthread([this](std::stop_token token) { server->run(token); });
    published = own.certificatePem;
    port = server->port();
  }
  void stop() {
    serving.request_stop();
    if (serving.joinable()) serving.join();
    server.reset();
  }

  Result<object::Document> node() const {
    return object::Document{{"metadata", {{"annotations", {{"cert", published}}}}},
                            {"status",
                             {{"addresses", json::array{{{"type", "Hostname"}, {"address", "n1"}},
                                                        {{"type", "InternalIP"}, {"address", "127.0.0.1"}}}},
                              {"daemonEndpoints", {{"kubeletEndpoint", {{"Port", port}}}}}}}};
  }
  Result<http::Response> ask() { return lines.send("n1", http::get("/x")); }
  std::string answer() { return http::Reader(ask().value().stream).readToTheEnd(); }

  ScratchDirectory directory;
  http::Tap tap;
  http::KeyPair own = madeByItself();
  http::KeyPair authority = http::authorityForTests();
  http::FunctionHandler handler{[this](const http::Request& request) {
    http::Response response;
    if (request.target == "/stream")
      response.stream = tap.open();
    else
      response.body = request.peer ? request.peer->commonName : "nobody";
    return response;
  }};
  std::string published;
  int port = 0;
  std::unique_ptr<http::Server> server;
  std::jthread serving;
  NodeLines lines{[this](const std::string&) { return node(); },
                  {http::issue(authority, {.commonName = "api", .client = true}, SystemClock().now()).value(), "cert"}};
};

TEST_F(LinesToANode, TellItWhoIsCalling) {
  start();
  EXPECT_EQ(answer(), "api");
}

TEST_F(LinesToANode, AcceptNoCertificateButThePublishedOne) {
  start();
  published = madeByItself().certificatePem;
  const auto refused = ask();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Internal);
  EXPECT_NE(refused.error().message.find("node \"n1\" does not answer"), std::string::npos) << refused.error().message;
}

TEST_F(LinesToANode, FollowItToItsNextPort) {
  start();
  EXPECT_EQ(answer(), "api");
  stop();
  own = madeByItself();
  start();
  EXPECT_EQ(answer(), "api");
}

TEST_F(LinesToANode, CarryAStreamThatOutlivesTheirNextPlace) {
  start();
  http::Reader reader(lines.send("n1", http::get("/stream")).value().stream);
  published += "\n";
  EXPECT_EQ(answer(), "api");
  tap.pour("on and on");
  EXPECT_EQ(reader.read(9), "on and on");
  tap.end();
}

TEST_F(LinesToANode, EndAStreamWhoseReaderGoes) {
  start();
  http::Reader reader(lines.send("n1", http::get("/stream")).value().stream);
  reader.close();
  EXPECT_TRUE(tap.waitUntilClosed());
}

TEST_F(LinesToANode, EndAStreamWhoseNodeGoes) {
  start();
  http::Reader reader(lines.send("n1", http::get("/stream")).value().stream);
  stop();
  EXPECT_EQ(reader.readToTheEnd(), "");
  EXPECT_TRUE(reader.ended());
}

TEST_F(LinesToANode, SayWhatANodeHasNotSaid) {
  const auto asked = ask();
  ASSERT_FALSE(asked);
  EXPECT_NE(asked.error().message.find("does not say where it answers"), std::string::npos);
}

}  // namespace
}  // namespace godwit::apiserver
