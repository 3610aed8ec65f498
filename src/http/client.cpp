#include "http/client.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include "http/client_connection.hpp"
#include "http/wire.hpp"

namespace godwit::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Parser = ClientConnection::Parser;
using ConnectionPtr = std::shared_ptr<ClientConnection>;

namespace {

constexpr std::size_t kMaxHeadBytes = 64 << 10;
constexpr std::size_t kMaxIdleConnections = 32;

// A request as it goes over the wire, and what the client has to know about it.
struct Outgoing {
  std::string text;
  std::shared_ptr<Stream> body;  // sent after the text, if there is one
  bool isGet = false;
  bool isHead = false;
  bool wantsStream = false;
};

struct Answer {
  Result<Response> response;
  bool begun = false;  // at least a byte of it has come
};

// A blank or a line break in the request line would end it early.
Result<> checkRequestLine(const Request& request) {
  const auto breaks = [](char c) { return c <= ' ' || c == 0x7f; };
  const bool broken = std::any_of(request.target.begin(), request.target.end(), breaks) ||
                      std::any_of(request.method.begin(), request.method.end(), breaks);
  if (broken || request.method.empty() || !request.target.starts_with('/'))
    return fail(Code::Invalid, fmt::format("\"{} {}\" is no request line", request.method, request.target));
  return {};
}

std::string hostHeader(const ClientConfig& config) {
  const bool isIpv6 = config.host.find(':') != std::string::npos;
  return fmt::format("{}:{}", isIpv6 ? "[" + config.host + "]" : config.host, config.port);
}

Response headOf(const Parser& parser) {
  Response response;
  response.status = static_cast<int>(parser.get().result_int());
  response.headers = toHeaders(parser.get());
  return response;
}

}  // namespace

// The io thread, and the connections that live on it.
class Client::Loop {
 public:
  Loop(ClientConfig config, asio::ssl::context tls)
      : config_(std::move(config)), host_(hostHeader(config_)), tls_(std::move(tls)) {}

  Result<Response> send(const Request& request);

 private:
  Outgoing prepare(const Request& request) const;
  void run(const std::stop_token& stop);

  // All below run on the io thread.
  asio::awaitable<Result<Response>> exchange(const Outgoing& outgoing);
  asio::awaitable<Result<Response>> deliver(ConnectionPtr connection, const Outgoing& outgoing);
  asio::awaitable<Answer> converse(ConnectionPtr connection, const Outgoing& outgoing);
  asio::awaitable<Result<ConnectionPtr>> connect();
  asio::awaitable<Result<ClientConnection::Endpoints>> resolve();
  std::unique_ptr<Stream> startStream(ConnectionPtr connection, std::shared_ptr<Parser> parser);
  asio::awaitable<void> pump(ConnectionPtr connection, std::shared_ptr<Parser> parser, std::shared_ptr<Feed> feed,
                             std::shared_ptr<Doorbell> bell);
  ConnectionPtr takeIdle();
  void keep(ConnectionPtr connection);
  void closeAll();

  const ClientConfig config_;
  const std::string host_;
  asio::io_context io_{1};
  asio::ssl::context tls_;
  std::vector<ConnectionPtr> idle_;  // the one used last is at the end
  std::set<ConnectionPtr> streaming_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};  // ends before what it uses
};

void Client::Loop::run(const std::stop_token& stop) {
  const std::stop_callback onStop(stop, [this] { asio::post(io_, [this] { closeAll(); }); });
  io_.run();
}

void Client::Loop::closeAll() {
  idle_.clear();
  for (const ConnectionPtr& connection : streaming_) connection->close();
  work_.reset();
}

Result<Response> Client::Loop::send(const Request& request) {
  TRY(checkRequestLine(request));
  const Outgoing outgoing = prepare(request);
  Result<Response> response = asio::co_spawn(io_, exchange(outgoing), asio::use_future).get();
  if (!response)
    return fail(
        within(fmt::format("{} https://{}{}", request.method, host_, request.target), std::move(response).error()));
  return response;
}

Outgoing Client::Loop::prepare(const Request& request) const {
  Outgoing outgoing;
  Request sent = request;
  const auto stream = sent.headers.find(kStreamHeader);
  if (stream != sent.headers.end()) {
    outgoing.wantsStream = stream->second != "false" && !request.stream;
    sent.headers.erase(stream);
  }
  if (!config_.bearerToken.empty()) sent.headers.try_emplace("authorization", "Bearer " + config_.bearerToken);
  outgoing.isGet = request.method == "GET";
  outgoing.isHead = request.method == "HEAD";
  outgoing.text = render(sent, host_);
  outgoing.body = request.stream;
  return outgoing;
}

// A kept connection may have been closed by the server just now. Only a GET is safe to ask again, and nothing with a
// stream is.
asio::awaitable<Result<Response>> Client::Loop::exchange(const Outgoing& outgoing) {
  if (ConnectionPtr idle = outgoing.body ? nullptr : takeIdle()) {
    Answer answer = co_await converse(std::move(idle), outgoing);
    const bool answered = answer.response || answer.begun || answer.response.error().code == Code::Timeout;
    if (answered || !outgoing.isGet) co_return std::move(answer.response);
  }
  Result<ConnectionPtr> fresh = co_await connect();
  if (!fresh) co_return fail(std::move(fresh).error());
  if (outgoing.body) co_return co_await deliver(std::move(*fresh), outgoing);
  Answer answer = co_await converse(std::move(*fresh), outgoing);
  co_return std::move(answer.response);
}

asio::awaitable<Result<Response>> Client::Loop::deliver(ConnectionPtr connection, const Outgoing& outgoing) {
  Parser parser;
  parser.header_limit(kMaxHeadBytes);
  streaming_.insert(connection);
  const Result<> answered = co_await connection->deliver(outgoing.text, outgoing.body, parser, config_.bodyPatience);
  streaming_.erase(connection);
  if (!answered) co_return fail(answered.error());
  Response response = headOf(parser);
  response.body = std::move(parser.get().body());
  co_return response;
}

asio::awaitable<Answer> Client::Loop::converse(ConnectionPtr connection, const Outgoing& outgoing) {
  const auto parser = std::make_shared<Parser>();
  parser->header_limit(kMaxHeadBytes);
  parser->body_limit(boost::none);
  parser->skip(outgoing.isHead);
  Answer answer;
  const Result<> asked = co_await connection->ask(outgoing.text, *parser);
  answer.begun = parser->got_some();
  if (!asked) {
    answer.response = fail(asked.error());
    co_return answer;
  }
  answer.response = headOf(*parser);
  if (outgoing.wantsStream && answer.response->status == 200) {
    answer.response->stream = startStream(connection, parser);
    co_return answer;
  }
  const Result<> read = co_await connection->readBody(*parser);
  if (!read) {
    answer.response = fail(read.error());
    co_return answer;
  }
  answer.response->body = std::move(parser->get().body());
  if (parser->keep_alive()) keep(std::move(connection));
  co_return answer;
}

asio::awaitable<Result<ConnectionPtr>> Client::Loop::connect() {
  const Result<ClientConnection::Endpoints> endpoints = co_await resolve();
  if (!endpoints) co_return fail(endpoints.error());
  auto connection = std::make_shared<ClientConnection>(io_.get_executor(), tls_);
  connection->allow(config_.timeout);
  const Result<> connected = co_await connection->connect(*endpoints, config_.host);
  if (!connected) co_return fail(connected.error());
  co_return connection;
}

asio::awaitable<Result<ClientConnection::Endpoints>> Client::Loop::resolve() {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(config_.host, error);
  if (!error) {
    const tcp::endpoint endpoint(address, config_.port);
    co_return ClientConnection::Endpoints::create(endpoint, config_.host, "");
  }
  tcp::resolver resolver(io_);
  const std::string port = std::to_string(config_.port);
  ClientConnection::Endpoints endpoints =
      co_await resolver.async_resolve(config_.host, port, asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return fail(Code::Unavailable, error.message());
  co_return endpoints;
}

std::unique_ptr<Stream> Client::Loop::startStream(ConnectionPtr connection, std::shared_ptr<Parser> parser) {
  auto feed = std::make_shared<Feed>();
  auto bell = std::make_shared<Doorbell>(io_.get_executor(), [connection, feed] { connection->lookAt(*feed); });
  auto stream = std::make_unique<FeedStream>(feed, bell);
  asio::co_spawn(io_, pump(std::move(connection), std::move(parser), std::move(feed), std::move(bell)), asio::detached);
  return stream;
}

asio::awaitable<void> Client::Loop::pump(ConnectionPtr connection, std::shared_ptr<Parser> parser,
                                         std::shared_ptr<Feed> feed, std::shared_ptr<Doorbell> bell) {
  streaming_.insert(connection);
  co_await connection->pump(*parser, std::move(feed), std::move(bell));
  streaming_.erase(connection);
}

ConnectionPtr Client::Loop::takeIdle() {
  while (!idle_.empty()) {
    ConnectionPtr connection = std::move(idle_.back());
    idle_.pop_back();
    if (connection->isStale()) continue;
    connection->allow(config_.timeout);
    return connection;
  }
  return nullptr;
}

void Client::Loop::keep(ConnectionPtr connection) {
  if (idle_.size() < kMaxIdleConnections) idle_.push_back(std::move(connection));
}

Result<std::unique_ptr<Client>> Client::create(ClientConfig config) {
  asio::ssl::context tls = TRY(clientContext(config));
  return std::unique_ptr<Client>(new Client(std::make_unique<Loop>(std::move(config), std::move(tls))));
}

Client::Client(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
Client::~Client() = default;

Result<Response> Client::send(const Request& request) { return loop_->send(request); }

}  // namespace godwit::http
