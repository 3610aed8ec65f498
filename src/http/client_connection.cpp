#include "http/client_connection.hpp"

#include <sys/socket.h>

#include <cerrno>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

#include "http/wire.hpp"

namespace godwit::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::redirect_error;
using asio::use_awaitable;
using boost::system::error_code;

Result<> outcome(std::string_view what, const error_code& error) {
  if (!error) return {};
  const Code code = error == beast::error::timeout ? Code::Timeout : Code::Unavailable;
  return fail(within(what, Error{code, error.message(), {}}));
}

}  // namespace

asio::awaitable<Result<>> ClientConnection::connect(const Endpoints& endpoints, const std::string& host) {
  error_code error;
  co_await tcp().async_connect(endpoints, redirect_error(use_awaitable, error));
  if (error) co_return outcome("connecting", error);
  tuneSocket(tcp().socket());
  const Result<> expected = expectHost(stream_, host);
  if (!expected) co_return expected;
  co_await stream_.async_handshake(asio::ssl::stream_base::client, redirect_error(use_awaitable, error));
  co_return outcome("TLS handshake", error);
}

asio::awaitable<Result<>> ClientConnection::ask(const std::string& text, Parser& parser) {
  error_code error;
  co_await asio::async_write(stream_, asio::buffer(text), redirect_error(use_awaitable, error));
  if (error) co_return outcome("sending the request", error);
  co_await beast::http::async_read_header(stream_, buffer_, parser, redirect_error(use_awaitable, error));
  co_return outcome("waiting for the response", error);
}

asio::awaitable<Result<>> ClientConnection::readBody(Parser& parser) {
  error_code error;
  co_await beast::http::async_read(stream_, buffer_, parser, redirect_error(use_awaitable, error));
  co_return outcome("reading the response", error);
}

asio::awaitable<Result<>> ClientConnection::deliver(const std::string& text, std::shared_ptr<Stream> body,
                                                    Parser& parser, std::chrono::milliseconds patience) {
  error_code error;
  co_await asio::async_write(stream_, asio::buffer(text), redirect_error(use_awaitable, error));
  if (error) co_return outcome("sending the request", error);
  pouring_ = true;
  asio::co_spawn(stream_.get_executor(), pour(std::move(body), patience), asio::detached);
  tcp().expires_never();
  co_await beast::http::async_read(stream_, buffer_, parser, redirect_error(use_awaitable, error));
  close();
  deadline_.cancel();
  while (pouring_) co_await sent_.wait();
  if (brokenOff_) co_return fail(Code::Unavailable, "the body has broken off");
  co_return outcome("waiting for the response", error);
}

asio::awaitable<void> ClientConnection::pour(std::shared_ptr<Stream> body, std::chrono::milliseconds patience) {
  error_code error;
  const auto bell = std::make_shared<Doorbell>(stream_.get_executor(), [this] { room_.make(); });
  bool ended = false;
  while (!ended && !closed_ && !error) {
    const Stream::Taken taken = body->take();
    ended = taken.ended;
    brokenOff_ = taken.broken;
    if (brokenOff_) break;
    const std::string text = renderChunk(taken);
    if (text.empty()) {
      body->whenReady([bell] { bell->ring(); });
      co_await room_.wait();
    } else {
      allow(patience);
      co_await asio::async_write(stream_, asio::buffer(text), redirect_error(use_awaitable, error));
    }
  }
  bell->disconnect();
  deadline_.expires_after(patience);
  // Whoever hears no more may have answered.
  if (!brokenOff_ && !closed_) co_await deadline_.async_wait(redirect_error(use_awaitable, error));
  if (!closed_) close();
  pouring_ = false;
  sent_.make();
}

asio::awaitable<void> ClientConnection::pump(Parser& parser, std::shared_ptr<Feed> feed,
                                             std::shared_ptr<Doorbell> bell) {
  error_code error;
  tcp().expires_never();
  while (!error && !closed_ && !parser.is_done()) {
    co_await beast::http::async_read_some(stream_, buffer_, parser, redirect_error(use_awaitable, error));
    std::string bytes = std::exchange(parser.get().body(), {});
    if (!bytes.empty()) feed->add(std::move(bytes));
    while (feed->isFull() && !closed_) co_await room_.wait();
  }
  bell->disconnect();
  close();
  feed->end(!parser.is_done());
}

void ClientConnection::lookAt(const Feed& feed) {
  if (feed.isAbandoned()) close();
  room_.make();
}

bool ClientConnection::isStale() {
  char byte = 0;
  const ssize_t size = ::recv(tcp().socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return buffer_.size() > 0 || size >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

void ClientConnection::close() {
  closed_ = true;
  room_.make();
  tcp().close();
}

}  // namespace godwit::http
