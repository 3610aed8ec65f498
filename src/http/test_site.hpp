#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <thread>

#include "base/clock.hpp"
#include "base/scratch_directory_test.hpp"
#include "http/certificates.hpp"
#include "http/client.hpp"
#include "http/feed.hpp"
#include "http/server.hpp"

namespace godwit::http {

// Longer than any test waits for something that does happen.
inline constexpr auto kForever = std::chrono::seconds(30);

class FunctionHandler final : public Handler {
 public:
  explicit FunctionHandler(std::function<Response(const Request&)> answer) : answer_(std::move(answer)) {}
  Response handle(const Request& request) override { return answer_(request); }

 private:
  const std::function<Response(const Request&)> answer_;
};

inline Response echo(const Request& request) {
  Response response;
  response.headers["content-type"] = "text/plain";
  response.body = request.body;
  return response;
}

inline Request get(std::string target) { return {.target = std::move(target)}; }
inline Request post(std::string body) { return {.method = "POST", .target = "/", .body = std::move(body)}; }

inline KeyPair authorityForTests() { return makeAuthority("authority for tests", SystemClock().now(), 1).value(); }

// Certificate files in a directory of their own, which goes with them.
class CertificateFiles {
 public:
  explicit CertificateFiles(const KeyPair& authority) {
    const CertificateRequest request{.commonName = "server", .ipAddresses = {"127.0.0.1"}, .server = true};
    const KeyPair server = issue(authority, request, SystemClock().now()).value();
    files_ = {.certificate = save("server.pem", server.certificatePem),
              .key = save("server.key", server.keyPem),
              .clientCa = save("ca.pem", authority.certificatePem)};
  }

  const TlsServerFiles& files() const { return files_; }

 private:
  std::filesystem::path save(const std::string& name, const std::string& text) {
    std::ofstream(directory_.file(name)) << text;
    return directory_.file(name);
  }

  ScratchDirectory directory_;
  TlsServerFiles files_;
};

// A server that runs, and clients that trust it.
class Site {
 public:
  explicit Site(std::function<Response(const Request&)> answer, unsigned short port = 0,
                KeyPair authority = authorityForTests())
      : authority_(std::move(authority)), files_(authority_), handler_(std::move(answer)) {
    server_ = Server::listen({.port = port, .tls = files_.files(), .workerThreads = 4}, handler_).value();
    thread_ = std::jthread([this](std::stop_token stop) { server_->run(stop); });
  }

  unsigned short port() const { return server_->port(); }
  const KeyPair& authority() const { return authority_; }
  const TlsServerFiles& files() const { return files_.files(); }

  ClientConfig clientConfig() const {
    return {.host = "127.0.0.1", .port = port(), .caCertificate = authority_.certificatePem};
  }
  std::unique_ptr<Client> client() const { return Client::create(clientConfig()).value(); }

  void askToStop() { thread_.request_stop(); }
  // Returns when the server has ended.
  void stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  const KeyPair authority_;
  const CertificateFiles files_;
  FunctionHandler handler_;
  std::unique_ptr<Server> server_;
  std::jthread thread_;
};

// What a test pours into a stream it hands out.
class Tap {
 public:
  std::unique_ptr<Stream> open() { return std::make_unique<Outlet>(state_); }
  void pour(std::string bytes) { state_->feed.add(std::move(bytes)); }
  void end() { state_->feed.end(); }
  void breakOff() { state_->feed.end(true); }
  bool waitUntilClosed() { return closed_.wait_for(kForever) == std::future_status::ready; }

 private:
  struct State {
    Feed feed;
    std::promise<void> closed;
  };

  class Outlet final : public Stream {
   public:
    explicit Outlet(std::shared_ptr<State> state) : state_(std::move(state)) {}
    ~Outlet() override { state_->closed.set_value(); }
    Taken take() override { return state_->feed.take(); }
    void whenReady(std::function<void()> wake) override { state_->feed.whenReady(std::move(wake)); }

   private:
    const std::shared_ptr<State> state_;
  };

  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::future<void> closed_ = state_->closed.get_future();
};

// Reads from a stream, blocking.
class Reader {
 public:
  explicit Reader(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}

  // At least `size` bytes, or all there is until the end.
  std::string read(std::size_t size) {
    while (text_.size() < size && !ended_) {
      const auto ready = std::make_shared<std::promise<void>>();
      stream_->whenReady([ready] { ready->set_value(); });
      if (ready->get_future().wait_for(kForever) != std::future_status::ready) {
        ADD_FAILURE() << "nothing comes after \"" << text_.substr(0, 100) << '"';
        break;
      }
      const Stream::Taken taken = stream_->take();
      for (const Chunk& chunk : taken.chunks) text_ += *chunk;
      ended_ = taken.ended;
    }
    return std::exchange(text_, {});
  }
  std::string readToTheEnd() { return read(std::string::npos); }
  bool ended() const { return ended_; }
  void close() { stream_.reset(); }

 private:
  std::unique_ptr<Stream> stream_;
  std::string text_;
  bool ended_ = false;
};

}  // namespace godwit::http
