#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.hpp"
#include "http/message.hpp"

namespace godwit::http {

// All in PEM. Without clientCa no client is asked for a certificate.
struct TlsServerFiles {
  std::filesystem::path certificate;
  std::filesystem::path key;
  std::filesystem::path clientCa = {};
};

struct ServerConfig {
  std::string address = "127.0.0.1";
  unsigned short port = 0;  // 0 takes any that is free
  TlsServerFiles tls;
  unsigned workerThreads = 16;  // how many requests are answered at the same time
};

// HTTP/1.1 over TLS. One thread does all the reading and writing; the handler, which may block, is called on the
// workers. Streams are taken from on the reading and writing thread, so take() must not block.
class Server {
 public:
  // Clients can connect from here on, and are answered once run() is called. The handler must outlive the server.
  static Result<std::unique_ptr<Server>> listen(const ServerConfig& config, Handler& handler);
  ~Server();

  unsigned short port() const;

  // Serves until `stop`, then lets requests under way be answered, ends streams, and returns when all that it
  // started has ended. To be called once.
  void run(std::stop_token stop);

 private:
  class Listener;
  explicit Server(std::unique_ptr<Listener> listener);

  const std::unique_ptr<Listener> listener_;
};

}  // namespace godwit::http
