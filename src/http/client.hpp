#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "http/message.hpp"

namespace godwit::http {

// A request with this header, whatever its value but "false", wants the body of a 200 as Response::stream. The
// header stays here: it is not sent.
inline constexpr std::string_view kStreamHeader = "x-godwit-stream";

// Certificates and keys in PEM.
struct ClientConfig {
  std::string host;  // a name or an address, which the server's certificate must name
  unsigned short port = 443;
  std::string caCertificate;
  std::string clientCertificate = {};
  std::string clientKey = {};
  std::string bearerToken = {};
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  // from the request to the end of the response
  // How long the server may leave a streamed body of a request lying, and how long it may take to answer afterwards.
  std::chrono::milliseconds bodyPatience = std::chrono::minutes(1);
};

// HTTP/1.1 over TLS with kept-alive connections; to be used from any number of threads. Streams are not under the
// timeout, and end when the client does. A request with a stream is never answered by one.
class Client final : public Transport {
 public:
  static Result<std::unique_ptr<Client>> create(ClientConfig config);
  ~Client() override;

  // Blocks. Timeout and Unavailable leave open whether the server acted; a body that breaks off is Unavailable, too.
  // Not to be called by a stream's wake.
  Result<Response> send(const Request& request) override;

 private:
  class Loop;
  explicit Client(std::unique_ptr<Loop> loop);

  const std::unique_ptr<Loop> loop_;
};

}  // namespace godwit::http
