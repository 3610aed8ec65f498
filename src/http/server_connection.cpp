#include "http/server_connection.hpp"

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

constexpr std::size_t kMaxHeadBytes = 64 << 10;
constexpr std::size_t kMaxBodyBytes = 8 << 20;
constexpr std::size_t kMaxDrainedBytes = 64 << 20;
constexpr std::size_t kPieceBytes = 64 << 10;  // of a streamed body
constexpr const char* kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr auto kHandshakePatience = std::chrono::seconds(10);
constexpr auto kIdlePatience = std::chrono::minutes(3);
constexpr auto kBodyPatience = std::chrono::minutes(1);
constexpr auto kWritePatience = std::chrono::minutes(1);
constexpr auto kFarewellPatience = std::chrono::seconds(2);

// A handler that throws spoils its own answer, not everybody's server.
asio::awaitable<Response> answer(Handler& handler, const Request& request) {
  Response response;
  try {
    response = handler.handle(request);
  } catch (const std::exception& bug) {
    response = Response{};
    response.status = 500;
    response.body = bug.what();
  }
  co_return response;
}

// HEAD is GET whose body stays at home; the handler need not know.
template <class Fields>
Request toRequest(const beast::http::header<true, Fields>& head) {
  Request request;
  request.method = head.method() == beast::http::verb::head ? "GET" : std::string(head.method_string());
  request.target = std::string(head.target());
  request.headers = toHeaders(head);
  return request;
}

// What to tell a client whose request cannot be read; nothing if it is the line that failed.
std::optional<int> statusFor(const error_code& problem) {
  if (problem == beast::http::error::body_limit) return 413;
  if (problem == beast::http::error::header_limit) return 431;
  if (problem == beast::http::error::end_of_stream || problem == beast::http::error::partial_message) return {};
  if (problem.category() == beast::http::make_error_code(beast::http::error::bad_method).category()) return 400;
  return {};
}

}  // namespace

ServerConnection::ServerConnection(asio::ip::tcp::socket socket, House house)
    : house_(house),
      stream_(std::move(socket), house.tls),
      news_(stream_.get_executor()),
      room_(stream_.get_executor()) {
  tuneSocket(tcp().socket());
  buffer_.reserve(kRecordBytes);
}

void ServerConnection::finish() {
  finishing_ = true;
  news_.make();
  room_.make();
  if (receiving_) tcp().cancel();
  if (waiting_) close();
}

void ServerConnection::close() { tcp().close(); }

asio::awaitable<void> ServerConnection::serve() {
  bool goesOn = co_await shakeHands();
  while (goesOn && !finishing_) goesOn = co_await serveRequest();
  co_await hangUp();
}

asio::awaitable<bool> ServerConnection::shakeHands() {
  error_code error;
  waiting_ = true;
  tcp().expires_after(kHandshakePatience);
  co_await stream_.async_handshake(asio::ssl::stream_base::server, redirect_error(use_awaitable, error));
  waiting_ = false;
  if (!error) peer_ = peerOf(stream_);
  co_return !error;
}

asio::awaitable<bool> ServerConnection::serveRequest() {
  HeadParser head;
  head.header_limit(kMaxHeadBytes);
  head.body_limit(boost::none);
  const error_code problem = co_await readHead(head);
  if (problem) {
    co_await refuse(problem);
    co_return false;
  }
  const bool isHead = head.get().method() == beast::http::verb::head;
  Request request = toRequest(head.get().base());
  request.peer = peer_;
  if (house_.handler.takesStream(request)) co_return co_await serveStreamed(head, std::move(request));
  co_return co_await serveWhole(head, std::move(request), isHead);
}

asio::awaitable<bool> ServerConnection::serveWhole(HeadParser& head, Request request, bool isHead) {
  BodyParser parser(std::move(head));
  parser.body_limit(kMaxBodyBytes);
  const error_code problem = co_await readBody(parser);
  if (problem) {
    co_await refuse(problem);
    co_return false;
  }
  const bool keepAlive = parser.keep_alive();
  request.body = std::move(parser.get().body());
  Response response = co_await ask(std::move(request));
  co_return co_await respond(std::move(response), isHead, keepAlive);
}

asio::awaitable<bool> ServerConnection::serveStreamed(HeadParser& head, Request request) {
  StreamParser parser(std::move(head));
  const auto feed = std::make_shared<Feed>();
  const auto bell = std::make_shared<Doorbell>(stream_.get_executor(), [this] { room_.make(); });
  request.stream = std::make_shared<FeedStream>(feed, bell);
  taking_ = receiving_ = true;
  asio::co_spawn(stream_.get_executor(), takeIn(parser, feed), asio::detached);
  Response response = co_await ask(std::move(request));
  co_await stopTakingIn();
  bell->disconnect();
  const bool whole = parser.is_done();
  const bool goesOn = co_await respond(std::move(response), false, whole && parser.keep_alive());
  if (!whole) co_await drain();
  co_return goesOn;
}

asio::awaitable<Response> ServerConnection::ask(Request request) {
  co_return co_await asio::co_spawn(house_.workers, answer(house_.handler, request), use_awaitable);
}

asio::awaitable<void> ServerConnection::takeIn(StreamParser& parser, std::shared_ptr<Feed> feed) {
  error_code error;
  const bool expected = beast::iequals(parser.get()[beast::http::field::expect], "100-continue");
  if (expected) co_await write(kContinue);
  while (taking_ && !finishing_ && !error && !parser.is_done()) {
    std::string bytes(kPieceBytes, '\0');
    auto& body = parser.get().body();
    body.data = bytes.data();
    body.size = bytes.size();
    tcp().expires_after(kBodyPatience);
    co_await beast::http::async_read_some(stream_, buffer_, parser, redirect_error(use_awaitable, error));
    if (error == beast::http::error::need_buffer) error = {};
    bytes.resize(bytes.size() - body.size);
    if (!bytes.empty()) feed->add(std::move(bytes));
    while (feed->isFull() && taking_ && !finishing_) co_await room_.wait();
  }
  feed->end(!parser.is_done());
  receiving_ = false;
  news_.make();
}

asio::awaitable<void> ServerConnection::stopTakingIn() {
  taking_ = false;
  room_.make();
  if (receiving_) tcp().cancel();
  while (receiving_) co_await news_.wait();
}

asio::awaitable<error_code> ServerConnection::readHead(HeadParser& parser) {
  error_code error;
  waiting_ = true;
  tcp().expires_after(kIdlePatience);
  co_await beast::http::async_read_header(stream_, buffer_, parser, redirect_error(use_awaitable, error));
  waiting_ = false;
  co_return error;
}

asio::awaitable<error_code> ServerConnection::readBody(BodyParser& parser) {
  error_code error;
  if (parser.content_length().value_or(0) > kMaxBodyBytes) co_return beast::http::error::body_limit;
  if (beast::iequals(parser.get()[beast::http::field::expect], "100-continue")) co_await write(kContinue);
  tcp().expires_after(kBodyPatience);
  co_await beast::http::async_read(stream_, buffer_, parser, redirect_error(use_awaitable, error));
  co_return error;
}

asio::awaitable<void> ServerConnection::refuse(ErrorCode problem) {
  const std::optional<int> status = statusFor(problem);
  if (!status) co_return;
  Response refusal;
  refusal.status = *status;
  refusal.headers["content-type"] = "text/plain";
  refusal.body = problem.message() + "\n";
  std::string text = render(refusal, Framing{.keepAlive = false});
  const bool told = co_await write(std::move(text));
  if (told) co_await drain();
}

// Closing with unread bytes resets the connection, and the client would lose the refusal while it still writes.
asio::awaitable<void> ServerConnection::drain() {
  error_code error;
  std::size_t drained = 0;
  tcp().socket().shutdown(asio::socket_base::shutdown_send, error);
  tcp().expires_after(kBodyPatience);
  while (!error && !finishing_ && drained < kMaxDrainedBytes) {
    buffer_.clear();
    const auto space = buffer_.prepare(kRecordBytes);
    drained += co_await stream_.async_read_some(space, redirect_error(use_awaitable, error));
  }
}

asio::awaitable<bool> ServerConnection::respond(Response response, bool isHead, bool keepAlive) {
  const bool goesOn = keepAlive && !finishing_;
  std::string text = render(response, Framing{.keepAlive = goesOn, .withBody = !isHead});
  const bool written = co_await write(std::move(text));
  if (!written) co_return false;
  if (!response.stream || isHead) co_return goesOn;
  const bool poured = co_await pour(std::move(response.stream));
  co_return poured&& goesOn;
}

asio::awaitable<bool> ServerConnection::pour(std::unique_ptr<Stream> stream) {
  const auto bell = std::make_shared<Doorbell>(stream_.get_executor(), [this] { news_.make(); });
  pouring_ = watching_ = true;
  asio::co_spawn(stream_.get_executor(), watchForHangUp(shared_from_this()), asio::detached);
  bool ended = false;
  while (!ended && !gone_) {
    Stream::Taken taken = stream->take();
    ended = taken.ended = taken.ended || finishing_;
    std::string text = renderChunk(taken);
    if (!text.empty()) {
      const bool written = co_await write(std::move(text));
      if (!written) gone_ = true;
    } else {
      stream->whenReady([bell] { bell->ring(); });
      co_await news_.wait();
    }
  }
  stream.reset();
  bell->disconnect();
  co_await stopWatching();
  co_return ended && !gone_;
}

// Keeps a read pending, which is how a client's leaving is noticed before the next write. What it reads is the
// beginning of the next request.
asio::awaitable<void> ServerConnection::watchForHangUp(std::shared_ptr<ServerConnection> self) {
  error_code error;
  while (pouring_ && !error && buffer_.size() < kMaxHeadBytes) {
    tcp().expires_never();
    const auto space = buffer_.prepare(4096);
    const std::size_t size = co_await stream_.async_read_some(space, redirect_error(use_awaitable, error));
    buffer_.commit(size);
  }
  watching_ = false;
  if (pouring_) {
    gone_ = true;
    self->close();
  }
  news_.make();
}

asio::awaitable<void> ServerConnection::stopWatching() {
  pouring_ = false;
  tcp().cancel();
  while (watching_) co_await news_.wait();
}

asio::awaitable<bool> ServerConnection::write(std::string bytes) {
  error_code error;
  tcp().expires_after(kWritePatience);
  co_await asio::async_write(stream_, asio::buffer(bytes), redirect_error(use_awaitable, error));
  co_return !error;
}

// Waits for the client's farewell, unless the server wants to end.
asio::awaitable<void> ServerConnection::hangUp() {
  error_code ignored;
  waiting_ = true;
  tcp().expires_after(kFarewellPatience);
  if (!finishing_) co_await stream_.async_shutdown(redirect_error(use_awaitable, ignored));
  close();
}

}  // namespace godwit::http
