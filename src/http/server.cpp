#include "http/server.hpp"

#include <set>

#include <fmt/format.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "http/server_connection.hpp"

namespace godwit::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {
// How long a client may take to read the last answer once the server wants to end.
constexpr auto kFinishPatience = std::chrono::seconds(5);
// Accepting fails when there are no file descriptors left; some connection ends sooner or later.
constexpr auto kAcceptPause = std::chrono::milliseconds(100);
}  // namespace

class Server::Listener {
 public:
  Listener(asio::ssl::context tls, unsigned workerThreads, Handler& handler)
      : tls_(std::move(tls)), workers_(workerThreads), handler_(handler) {}

  Result<> open(const ServerConfig& config);
  unsigned short port() const { return port_; }
  void run(std::stop_token stop);

 private:
  asio::awaitable<void> accept();
  asio::awaitable<void> host(std::shared_ptr<ServerConnection> connection);
  void finish();

  asio::io_context io_{1};
  asio::ssl::context tls_;
  asio::thread_pool workers_;
  Handler& handler_;
  tcp::acceptor acceptor_{io_};
  unsigned short port_ = 0;

  // On the thread of run() only.
  std::set<std::shared_ptr<ServerConnection>> connections_;
  asio::steady_timer patience_{io_};
  bool finishing_ = false;
};

Result<> Server::Listener::open(const ServerConfig& config) {
  const auto failed = [&](Code code, const error_code& error) {
    return fail(code, fmt::format("{}:{}: {}", config.address, config.port, error.message()));
  };
  error_code error;
  const asio::ip::address address = asio::ip::make_address(config.address, error);
  if (error) return failed(Code::Invalid, error);
  const tcp::endpoint endpoint(address, config.port);
  if (acceptor_.open(endpoint.protocol(), error)) return failed(Code::Unavailable, error);
  if (acceptor_.set_option(asio::socket_base::reuse_address(true), error)) return failed(Code::Unavailable, error);
  if (acceptor_.bind(endpoint, error)) return failed(Code::Unavailable, error);
  if (acceptor_.listen(asio::socket_base::max_listen_connections, error)) return failed(Code::Unavailable, error);
  port_ = acceptor_.local_endpoint(error).port();
  return {};
}

void Server::Listener::run(std::stop_token stop) {
  asio::co_spawn(io_, accept(), asio::detached);
  const std::stop_callback onStop(stop, [this] { asio::post(io_, [this] { finish(); }); });
  io_.run();
  workers_.join();
}

asio::awaitable<void> Server::Listener::accept() {
  asio::steady_timer pause(io_);
  while (!finishing_) {
    error_code error;
    tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (finishing_) break;
    if (error) {
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    const ServerConnection::House house{.tls = tls_, .workers = workers_, .handler = handler_};
    auto connection = std::make_shared<ServerConnection>(std::move(socket), house);
    asio::co_spawn(io_, host(std::move(connection)), asio::detached);
  }
}

asio::awaitable<void> Server::Listener::host(std::shared_ptr<ServerConnection> connection) {
  connections_.insert(connection);
  if (finishing_) connection->finish();
  co_await connection->serve();
  connections_.erase(connection);
  if (finishing_ && connections_.empty()) patience_.cancel();
}

void Server::Listener::finish() {
  finishing_ = true;
  acceptor_.close();
  for (const auto& connection : connections_) connection->finish();
  if (connections_.empty()) return;
  patience_.expires_after(kFinishPatience);
  patience_.async_wait([this](const error_code& cancelled) {
    if (cancelled) return;
    for (const auto& connection : connections_) connection->close();
  });
}

Result<std::unique_ptr<Server>> Server::listen(const ServerConfig& config, Handler& handler) {
  auto listener = std::make_unique<Listener>(TRY(serverContext(config.tls)), config.workerThreads, handler);
  TRY(listener->open(config));
  return std::unique_ptr<Server>(new Server(std::move(listener)));
}

Server::Server(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
Server::~Server() = default;

unsigned short Server::port() const { return listener_->port(); }

void Server::run(std::stop_token stop) { listener_->run(std::move(stop)); }

}  // namespace godwit::http
