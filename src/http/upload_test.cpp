#include <gtest/gtest.h>

#include "http/stream.hpp"
#include "http/test_site.hpp"

// Bodies of requests as streams, from whoever pours them into the client to the handler on the server.
namespace godwit::http {
namespace {

// Takes every POST as a stream.
class StreamingHandler final : public Handler {
 public:
  explicit StreamingHandler(std::function<Response(const Request&)> answer) : answer_(std::move(answer)) {}
  Response handle(const Request& request) override { return answer_(request); }
  bool takesStream(const Request& head) const override { return head.method == "POST"; }

 private:
  const std::function<Response(const Request&)> answer_;
};

struct Heard {
  std::size_t size = 0;
  bool broken = false;
};

Heard hear(const Request& request) {
  Heard heard;
  for (bool ended = false; !ended;) {
    const Stream::Taken taken = awaitNext(*request.stream);
    for (const Chunk& chunk : taken.chunks) heard.size += chunk->size();
    ended = taken.ended;
    heard.broken = taken.broken;
  }
  return heard;
}

Response count(const Request& request) {
  Response response;
  if (!request.stream) return response;
  const Heard heard = hear(request);
  response.body = std::to_string(heard.size) + (heard.broken ? " and no more" : "");
  return response;
}

class Upload : public testing::Test {
 protected:
  void serve(std::function<Response(const Request&)> answer) {
    handler_ = std::make_unique<StreamingHandler>(std::move(answer));
    server_ = Server::listen({.tls = files_.files(), .workerThreads = 4}, *handler_).value();
    thread_ = std::jthread([this](std::stop_token stop) { server_->run(stop); });
    client_ = Client::create({.host = "127.0.0.1", .port = server_->port(), .caCertificate = authority_.certificatePem})
                  .value();
  }

  Result<Response> send(Tap& tap) {
    return client_->send({.method = "POST", .target = "/", .stream = std::shared_ptr<Stream>(tap.open())});
  }

  const KeyPair authority_ = authorityForTests();
  const CertificateFiles files_{authority_};
  std::unique_ptr<StreamingHandler> handler_;
  std::unique_ptr<Server> server_;
  std::jthread thread_;
  std::unique_ptr<Client> client_;
};

TEST_F(Upload, ReachesTheHandlerAsItComesHoweverLongItIs) {
  Tap tap;
  std::promise<void> first;
  serve([&](const Request& request) {
    awaitNext(*request.stream);
    first.set_value();
    return count(request);
  });
  tap.pour("x");
  auto answer = std::async(std::launch::async, [&] { return send(tap); });
  first.get_future().wait();
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 32; ++i) tap.pour(block);
  tap.end();
  EXPECT_EQ(answer.get()->body, std::to_string(32 << 20));
}

TEST_F(Upload, IsBrokenOffForTheHandlerWhenItsSourceIs) {
  Tap tap;
  std::promise<Heard> heard;
  serve([&](const Request& request) {
    heard.set_value(hear(request));
    return Response{};
  });
  tap.pour("half");
  tap.breakOff();
  EXPECT_EQ(send(tap).error().code, Code::Unavailable);
  EXPECT_TRUE(heard.get_future().get().broken);
}

TEST_F(Upload, IsAnsweredBeforeItsEndByAHandlerThatDoesNotWantIt) {
  Tap tap;
  serve([](const Request& request) {
    Response response;
    if (request.stream) response.status = 401;
    return response;
  });
  tap.pour(std::string(8 << 20, 'x'));
  EXPECT_EQ(send(tap)->status, 401);
  EXPECT_EQ(client_->send(get("/"))->status, 200);
}

TEST_F(Upload, EndsWhenTheServerStops) {
  Tap tap;
  std::promise<void> begun;
  serve([&](const Request& request) {
    begun.set_value();
    return count(request);
  });
  auto answer = std::async(std::launch::async, [&] { return send(tap); });
  begun.get_future().wait();
  thread_.request_stop();
  thread_.join();
  EXPECT_EQ(answer.get()->body, "0 and no more");
}

TEST_F(Upload, LeavesOtherRequestsToTheSameConnection) {
  serve(count);
  Tap tap;
  tap.pour("abc");
  tap.end();
  EXPECT_EQ(send(tap)->body, "3");
  EXPECT_EQ(client_->send(get("/"))->status, 200);
  EXPECT_EQ(client_->send(post("abcd"))->body, "4");
}

}  // namespace
}  // namespace godwit::http
