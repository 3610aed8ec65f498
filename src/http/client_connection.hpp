#pragma once

#include <chrono>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "http/doorbell.hpp"
#include "http/feed.hpp"
#include "http/message.hpp"
#include "http/tls.hpp"

namespace godwit::http {

// One line to the server, good for one request at a time. Lives on the client's io thread.
class ClientConnection {
 public:
  using Endpoints = boost::asio::ip::tcp::resolver::results_type;
  using Parser = boost::beast::http::response_parser<boost::beast::http::string_body>;

  ClientConnection(const boost::asio::any_io_executor& executor, boost::asio::ssl::context& tls)
      : stream_(executor, tls), room_(executor), sent_(executor), deadline_(executor) {
    buffer_.reserve(kRecordBytes);
  }

  // All that is done from here on has to be done within `timeout`.
  void allow(std::chrono::milliseconds timeout) { tcp().expires_after(timeout); }

  boost::asio::awaitable<Result<>> connect(const Endpoints& endpoints, const std::string& host);

  // Sends `text`, a whole request, and reads the head of the answer. The parser must outlive what is read with it.
  boost::asio::awaitable<Result<>> ask(const std::string& text, Parser& parser);
  boost::asio::awaitable<Result<>> readBody(Parser& parser);

  // Sends `text`, the head of a request, and its body as that comes; reads the whole answer, which may come before all
  // is sent. The line is closed afterwards.
  boost::asio::awaitable<Result<>> deliver(const std::string& text, std::shared_ptr<Stream> body, Parser& parser,
                                           std::chrono::milliseconds patience);

  // Reads without a time limit until the body ends or the feed is abandoned, then ends the feed and closes.
  boost::asio::awaitable<void> pump(Parser& parser, std::shared_ptr<Feed> feed, std::shared_ptr<Doorbell> bell);
  // What the doorbell of a pumped feed calls.
  void lookAt(const Feed& feed);

  // Nothing may come from a server that was asked nothing: bytes are a farewell, and so is an end of file.
  bool isStale();
  void close();

 private:
  // Sends a body, and closes the line if it breaks off or no answer comes in time. Ends when the line is closed.
  boost::asio::awaitable<void> pour(std::shared_ptr<Stream> body, std::chrono::milliseconds patience);

  boost::beast::tcp_stream& tcp() { return stream_.next_layer(); }

  TlsStream stream_;
  boost::beast::flat_buffer buffer_;
  Announcement room_;  // in a feed that was full
  Announcement sent_;  // pour() has ended
  boost::asio::steady_timer deadline_;
  bool pouring_ = false;
  bool brokenOff_ = false;  // the body that was sent
  bool closed_ = false;
};

}  // namespace godwit::http
