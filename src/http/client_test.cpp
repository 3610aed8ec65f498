#include "http/client.hpp"

#include <gtest/gtest.h>

#include <latch>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include "http/test_site.hpp"

namespace godwit::http {
namespace {

namespace asio = boost::asio;

// Takes as many connections as there are numbers, one after the other. Answers that many requests on each, and closes
// it on the next one without an answer.
class FickleServer {
 public:
  FickleServer(const TlsServerFiles& files, std::vector<int> answersPerConnection) {
    tls_.use_certificate_chain_file(files.certificate.string());
    tls_.use_private_key_file(files.key.string(), asio::ssl::context::pem);
    thread_ = std::jthread([this, answers = std::move(answersPerConnection)] {
      for (const int count : answers) serve(count);
    });
  }

  unsigned short port() const { return acceptor_.local_endpoint().port(); }

 private:
  void serve(int count) {
    boost::system::error_code error;
    asio::ssl::stream<asio::ip::tcp::socket> stream(acceptor_.accept(), tls_);
    stream.handshake(asio::ssl::stream_base::server, error);
    for (; !error && count >= 0; --count) {
      std::string request;
      asio::read_until(stream, asio::dynamic_buffer(request), "\r\n\r\n", error);
      const std::string answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
      if (count > 0) asio::write(stream, asio::buffer(answer), error);
    }
  }

  asio::io_context io_;
  asio::ssl::context tls_{asio::ssl::context::tls_server};
  asio::ip::tcp::acceptor acceptor_{io_, {asio::ip::make_address("127.0.0.1"), 0}};
  std::jthread thread_;
};

struct FickleWorld {
  explicit FickleWorld(std::vector<int> answersPerConnection)
      : server(files.files(), std::move(answersPerConnection)) {}

  KeyPair authority = authorityForTests();
  CertificateFiles files{authority};
  FickleServer server;
  std::unique_ptr<Client> client =
      Client::create({.host = "127.0.0.1", .port = server.port(), .caCertificate = authority.certificatePem}).value();
};

TEST(Client, KeepsItsConnection) {
  FickleWorld world({10});

  for (int i = 0; i < 10; ++i) EXPECT_EQ(world.client->send({.method = "DELETE", .target = "/"})->body, "ok");
}

TEST(Client, NoticesThatTheServerWasReplaced) {
  auto site = std::make_unique<Site>(echo);
  const auto client = site->client();
  ASSERT_TRUE(client->send(post("x")));
  const unsigned short port = site->port();
  const KeyPair authority = site->authority();
  site.reset();

  const Site successor(echo, port, authority);

  EXPECT_EQ(client->send(post("y"))->body, "y");
}

TEST(Client, AsksAgainWhenAKeptConnectionLosesAGet) {
  FickleWorld world({1, 1});
  ASSERT_TRUE(world.client->send(get("/1")));

  EXPECT_EQ(world.client->send(get("/2"))->body, "ok");
}

TEST(Client, DoesNotRepeatWhatMayHaveBeenDone) {
  FickleWorld world({1});
  ASSERT_TRUE(world.client->send(get("/1")));

  EXPECT_EQ(world.client->send({.method = "DELETE", .target = "/2"}).error().code, Code::Unavailable);
}

TEST(Client, AsksOnlyOnceMore) {
  FickleWorld world({1, 0});
  ASSERT_TRUE(world.client->send(get("/1")));

  EXPECT_EQ(world.client->send(get("/2")).error().code, Code::Unavailable);
}

TEST(Client, GivesUpAfterItsTimeout) {
  std::latch released(1);
  Site site([&](const Request& request) {
    released.wait();
    return echo(request);
  });
  ClientConfig config = site.clientConfig();
  config.timeout = std::chrono::milliseconds(50);

  EXPECT_EQ(Client::create(config).value()->send(get("/")).error().code, Code::Timeout);
  released.count_down();
}

TEST(Client, SaysThatNobodyListens) {
  auto site = std::make_unique<Site>(echo);
  const auto client = site->client();
  site.reset();

  const Error error = client->send(get("/x")).error();

  EXPECT_EQ(error.code, Code::Unavailable);
  EXPECT_TRUE(error.message.find("/x: connecting: Connection refused") != std::string::npos) << error.message;
}

TEST(Client, DoesNotTalkToAServerOfAnotherAuthority) {
  Site site(echo);
  ClientConfig config = site.clientConfig();
  config.caCertificate = authorityForTests().certificatePem;

  EXPECT_EQ(Client::create(config).value()->send(get("/")).error().code, Code::Unavailable);
}

TEST(Client, DoesNotTalkToAServerUnderAnotherName) {
  Site site(echo);
  ClientConfig config = site.clientConfig();
  config.host = "localhost";

  const Error error = Client::create(config).value()->send(get("/")).error();

  EXPECT_EQ(error.code, Code::Unavailable);
  EXPECT_TRUE(error.message.find("certificate verify failed") != std::string::npos) << error.message;
}

TEST(Client, PresentsItsTokenUnlessTheRequestHasOne) {
  std::string seen;
  Site site([&](const Request& request) {
    seen = request.headers.at("authorization");
    return Response{};
  });
  ClientConfig config = site.clientConfig();
  config.bearerToken = "secret";
  const auto client = Client::create(config).value();

  ASSERT_TRUE(client->send(get("/")));
  EXPECT_EQ(seen, "Bearer secret");

  Request request = get("/");
  request.headers["authorization"] = "Bearer other";
  ASSERT_TRUE(client->send(request));
  EXPECT_EQ(seen, "Bearer other");
}

TEST(Client, KeepsItsStreamHeaderToItself) {
  Headers seen;
  Site site([&](const Request& request) {
    seen = request.headers;
    return Response{};
  });
  Request request = get("/");
  request.headers[std::string(kStreamHeader)] = "true";

  ASSERT_TRUE(site.client()->send(request)->stream);
  EXPECT_FALSE(seen.contains(kStreamHeader));
}

TEST(Client, DoesNotLetHeadersOrTargetsBreakTheLine) {
  Headers seen;
  Site site([&](const Request& request) {
    seen = request.headers;
    return Response{};
  });
  const auto client = site.client();
  Request request = get("/");
  request.headers["x-name"] = "a\r\nx-smuggled: b";

  ASSERT_TRUE(client->send(request));
  EXPECT_FALSE(seen.contains("x-smuggled"));
  EXPECT_EQ(client->send(get("/ HTTP/1.1\r\nx-smuggled: b")).error().code, Code::Invalid);
}

TEST(Client, RefusesCertificatesThatAreNone) {
  EXPECT_EQ(Client::create({.host = "h", .caCertificate = "nonsense"}).error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::http
