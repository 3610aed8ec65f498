#pragma once

#include <memory>
#include <optional>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "http/doorbell.hpp"
#include "http/feed.hpp"
#include "http/message.hpp"
#include "http/tls.hpp"

namespace godwit::http {

// One client of the server, from its handshake to its last byte. Lives on the io thread.
class ServerConnection : public std::enable_shared_from_this<ServerConnection> {
 public:
  // What all connections of a server share.
  struct House {
    boost::asio::ssl::context& tls;
    boost::asio::thread_pool& workers;
    Handler& handler;
  };

  ServerConnection(boost::asio::ip::tcp::socket socket, House house);

  boost::asio::awaitable<void> serve();

  // Takes no further request: what is being answered is still answered, streams end.
  void finish();
  // Cuts the line.
  void close();

 private:
  template <class Body>
  using Parser = boost::beast::http::request_parser<Body>;
  using HeadParser = Parser<boost::beast::http::empty_body>;
  using BodyParser = Parser<boost::beast::http::string_body>;
  using StreamParser = Parser<boost::beast::http::buffer_body>;
  using ErrorCode = boost::system::error_code;
  template <class T>
  using Awaitable = boost::asio::awaitable<T>;

  // These say whether the connection can go on.
  Awaitable<bool> shakeHands();
  Awaitable<bool> serveRequest();
  Awaitable<bool> serveWhole(HeadParser& head, Request request, bool isHead);
  Awaitable<bool> serveStreamed(HeadParser& head, Request request);
  Awaitable<bool> respond(Response response, bool isHead, bool keepAlive);
  Awaitable<bool> pour(std::unique_ptr<Stream> stream);
  Awaitable<bool> write(std::string bytes);

  Awaitable<ErrorCode> readHead(HeadParser& parser);
  Awaitable<ErrorCode> readBody(BodyParser& parser);
  Awaitable<Response> ask(Request request);
  // Reads the body of a streamed request until it ends, nobody wants it any more, or it is time to finish.
  Awaitable<void> takeIn(StreamParser& parser, std::shared_ptr<Feed> feed);
  Awaitable<void> stopTakingIn();
  Awaitable<void> refuse(ErrorCode problem);
  Awaitable<void> drain();
  Awaitable<void> hangUp();
  Awaitable<void> watchForHangUp(std::shared_ptr<ServerConnection> self);
  Awaitable<void> stopWatching();

  boost::beast::tcp_stream& tcp() { return stream_.next_layer(); }

  const House house_;
  TlsStream stream_;
  boost::beast::flat_buffer buffer_;  // what was read beyond the request being served
  std::optional<PeerCertificate> peer_;
  Announcement news_;       // for pour(): the stream is ready, the client has gone, or it is time to finish
  Announcement room_;       // for takeIn(): in a feed that was full
  bool waiting_ = false;    // for the client, with nothing to lose
  bool pouring_ = false;    // a stream is being sent
  bool watching_ = false;   // watchForHangUp() runs
  bool taking_ = false;     // takeIn() is to go on
  bool receiving_ = false;  // takeIn() runs
  bool gone_ = false;       // the client left while a stream was being sent
  bool finishing_ = false;
};

}  // namespace godwit::http
