#pragma once

#include <memory>
#include <optional>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "http/doorbell.hpp"
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
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using ErrorCode = boost::system::error_code;
  template <class T>
  using Awaitable = boost::asio::awaitable<T>;

  // These say whether the connection can go on.
  Awaitable<bool> shakeHands();
  Awaitable<bool> serveRequest();
  Awaitable<bool> respond(Response response, bool isHead, bool keepAlive);
  Awaitable<bool> pour(std::unique_ptr<Stream> stream);
  Awaitable<bool> write(std::string bytes);

  Awaitable<ErrorCode> readRequest(Parser& parser);
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
  Announcement news_;      // for pour(): the stream is ready, the client has gone, or it is time to finish
  bool waiting_ = false;   // for the client, with nothing to lose
  bool pouring_ = false;   // a stream is being sent
  bool watching_ = false;  // watchForHangUp() runs
  bool gone_ = false;      // the client left while a stream was being sent
  bool finishing_ = false;
};

}  // namespace godwit::http
