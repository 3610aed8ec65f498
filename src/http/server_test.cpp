#include "http/server.hpp"

#include <gtest/gtest.h>

#include <latch>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include "http/test_site.hpp"

namespace godwit::http {
namespace {

namespace asio = boost::asio;

// Writes `text` as it is and returns all that comes until the server closes.
std::string converse(unsigned short port, const std::string& text) {
  asio::io_context io;
  asio::ssl::context tls(asio::ssl::context::tls_client);
  asio::ssl::stream<asio::ip::tcp::socket> stream(io, tls);
  stream.lowest_layer().connect({asio::ip::make_address("127.0.0.1"), port});
  stream.handshake(asio::ssl::stream_base::client);
  boost::system::error_code closed;
  asio::write(stream, asio::buffer(text), closed);
  std::string answer;
  asio::read(stream, asio::dynamic_buffer(answer), closed);
  return answer;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Response echoTarget(const Request& request) {
  Response response;
  response.body = request.method + " " + request.target + " " + request.body + "\n";
  return response;
}

TEST(Server, HandsTheRequestToTheHandlerAndTheResponseBack) {
  Request seen;
  Site site([&](const Request& request) {
    seen = request;
    Response response;
    response.status = 201;
    response.headers["x-answer"] = "42";
    response.body = "made";
    return response;
  });
  Request request = post("{\"a\":1}");
  request.target = "/api/v1/pods?dryRun=All&x=%2F";
  request.headers["content-type"] = "application/json";

  const Response response = site.client()->send(request).value();

  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.target, "/api/v1/pods?dryRun=All&x=%2F");
  EXPECT_EQ(seen.headers["content-type"], "application/json");
  EXPECT_EQ(seen.body, "{\"a\":1}");
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.headers.at("x-answer"), "42");
  EXPECT_EQ(response.body, "made");
}

TEST(Server, TakesBodiesOfEightMebibytes) {
  Site site(echo);
  const std::string body(8 << 20, 'x');

  EXPECT_TRUE(site.client()->send(post(body))->body == body);
}

TEST(Server, RefusesLargerBodies) {
  Site site(echo);
  const auto client = site.client();

  EXPECT_EQ(client->send(post(std::string((8 << 20) + 1, 'x')))->status, 413);
  EXPECT_EQ(client->send(post("small"))->body, "small");
}

TEST(Server, RefusesLongHeads) {
  Site site(echo);
  Request request = get("/");
  request.headers["x-long"] = std::string(100'000, 'x');

  EXPECT_EQ(site.client()->send(request)->status, 431);
}

TEST(Server, RefusesWhatIsNotHttp) {
  Site site(echo);

  EXPECT_TRUE(converse(site.port(), "hello there\r\n\r\n").starts_with("HTTP/1.1 400 "));
}

TEST(Server, AnswersPipelinedRequestsInTheirOrder) {
  Site site(echoTarget);

  const std::string answer = converse(site.port(),
                                      "POST /1 HTTP/1.1\r\nhost: h\r\ncontent-length: 3\r\n\r\nabc"
                                      "GET /2 HTTP/1.1\r\nhost: h\r\n\r\n"
                                      "GET /3 HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n"
                                      "GET /4 HTTP/1.1\r\nhost: h\r\n\r\n");

  EXPECT_LT(answer.find("POST /1 abc\n"), answer.find("GET /2 \n"));
  EXPECT_LT(answer.find("GET /2 \n"), answer.find("GET /3 \n"));
  EXPECT_TRUE(contains(answer, "GET /3 \n"));
  EXPECT_FALSE(contains(answer, "GET /4 \n"));
}

TEST(Server, AnswersHeadWithTheHeadOfGet) {
  Site site(echoTarget);

  const std::string answer = converse(site.port(), "HEAD /x HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n");

  EXPECT_TRUE(contains(answer, "content-length: 8\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
  EXPECT_EQ(site.client()->send({.method = "HEAD", .target = "/x"})->status, 200);
}

TEST(Server, ReadsChunkedBodiesAndEncouragesThoseWhoWait) {
  Site site(echoTarget);

  const std::string answer = converse(site.port(),
                                      "PUT /x HTTP/1.1\r\nhost: h\r\nconnection: close\r\nexpect: 100-continue\r\n"
                                      "transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");

  EXPECT_TRUE(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(contains(answer, "PUT /x abcde\n")) << answer;
}

TEST(Server, KnowsWhoPresentsACertificate) {
  std::optional<PeerCertificate> peer;
  Site site([&](const Request& request) {
    peer = request.peer;
    return Response{};
  });
  const CertificateRequest admin{.commonName = "anna", .organizations = {"masters", "people"}, .client = true};
  const KeyPair pair = issue(site.authority(), admin, SystemClock().now()).value();
  ClientConfig config = site.clientConfig();
  config.clientCertificate = pair.certificatePem;
  config.clientKey = pair.keyPem;

  ASSERT_TRUE(Client::create(config).value()->send(get("/")));
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->commonName, "anna");
  EXPECT_EQ(peer->organizations, (std::vector<std::string>{"masters", "people"}));

  ASSERT_TRUE(site.client()->send(get("/")));
  EXPECT_FALSE(peer);
}

TEST(Server, RefusesCertificatesOfStrangers) {
  bool called = false;
  Site site([&](const Request&) {
    called = true;
    return Response{};
  });
  const KeyPair pair = issue(authorityForTests(), {.commonName = "anna", .client = true}, SystemClock().now()).value();
  ClientConfig config = site.clientConfig();
  config.clientCertificate = pair.certificatePem;
  config.clientKey = pair.keyPem;

  EXPECT_EQ(Client::create(config).value()->send(get("/")).error().code, Code::Unavailable);
  EXPECT_FALSE(called);
}

TEST(Server, AnswersOthersWhileAHandlerBlocks) {
  std::latch both(2);
  Site site([&](const Request&) {
    both.arrive_and_wait();
    return Response{};
  });
  const auto client = site.client();
  auto first = std::async(std::launch::async, [&] { return client->send(get("/1")); });

  EXPECT_EQ(client->send(get("/2"))->status, 200);
  EXPECT_EQ(first.get()->status, 200);
}

TEST(Server, AnswersManyAtOnce) {
  Site site(echo);
  const auto client = site.client();
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread)
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 200; ++i) {
          const std::string body = std::to_string(thread) + ":" + std::to_string(i);
          const Result<Response> response = client->send(post(body));
          if (response && response->body == body) ++right;
        }
      });
  }
  EXPECT_EQ(right, 8 * 200);
}

TEST(Server, SurvivesAHandlerThatThrows) {
  Site site([](const Request& request) -> Response {
    if (request.target == "/bad") throw std::runtime_error("a bug");
    return {};
  });
  const auto client = site.client();

  EXPECT_EQ(client->send(get("/bad"))->status, 500);
  EXPECT_EQ(client->send(get("/good"))->status, 200);
}

TEST(Server, AnswersWhatIsUnderWayBeforeItEnds) {
  std::latch arrived(1);
  std::latch released(1);
  Site site([&](const Request& request) {
    arrived.count_down();
    released.wait();
    return echo(request);
  });
  const auto client = site.client();
  auto answer = std::async(std::launch::async, [&] { return client->send(post("late")); });
  arrived.wait();

  site.askToStop();
  released.count_down();
  site.stop();

  EXPECT_EQ(answer.get()->body, "late");
  EXPECT_EQ(client->send(get("/")).error().code, Code::Unavailable);
}

TEST(Server, EndsWithIdleConnectionsOpen) {
  Site site(echo);
  const auto client = site.client();
  ASSERT_TRUE(client->send(get("/")));

  site.stop();
}

TEST(Server, EndsAtOnceWhenStoppedBeforeItRuns) {
  FunctionHandler handler(echo);
  const CertificateFiles files(authorityForTests());
  const auto server = Server::listen({.tls = files.files()}, handler).value();
  std::stop_source stop;
  stop.request_stop();

  server->run(stop.get_token());
}

TEST(Server, SaysWhyItCannotListen) {
  Site site(echo);
  FunctionHandler handler(echo);

  const auto taken = Server::listen({.port = site.port(), .tls = site.files()}, handler);
  EXPECT_EQ(taken.error().code, Code::Unavailable);

  const auto missing = Server::listen({.tls = {.certificate = "missing.pem", .key = "missing.key"}}, handler);
  EXPECT_EQ(missing.error().code, Code::Invalid);
  EXPECT_TRUE(contains(missing.error().message, "missing.pem"));
}

}  // namespace
}  // namespace godwit::http
