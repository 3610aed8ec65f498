#include "sim/line.hpp"

#include <fmt/format.h>

namespace godwit::sim {

Result<http::Response> Line::send(const http::Request& request) {
  auto response = deliver(request);
  exchange_.chronicle.tell({whose_, request.method, request.target, request.body,
                            response ? fmt::to_string(response->status) : response.error().message});
  return response;
}

Result<http::Response> Line::deliver(const http::Request& request) {
  if (dead()) return fail(Code::Unavailable, "the process is dead");
  if (left_) --*left_;
  if (!exchange_.server) return fail(Code::Unavailable, "the server is down");
  if (cut_) return fail(Code::Unavailable, "the line is cut");
  http::Request authorized = request;
  authorized.headers["authorization"] = authorization_;
  const bool changesSomething = request.method != "GET";
  if (isLost()) {
    if (changesSomething && random_.chance(2)) exchange_.late.push_back(std::move(authorized));
    return fail(Code::Unavailable, "the request is lost");
  }
  http::Response response = exchange_.server->handle(authorized);
  if (changesSomething && isLost()) exchange_.late.push_back(std::move(authorized));
  if (isLost()) return fail(Code::Unavailable, "the answer is lost");
  if (response.stream) {
    auto fate = std::make_shared<BreakableStream::Fate>();
    streams_.push_back(fate);
    response.stream = std::make_unique<BreakableStream>(std::move(response.stream), std::move(fate));
  }
  return response;
}

void Exchange::deliverLate(Random& random) {
  const auto chosen = late.begin() + static_cast<std::ptrdiff_t>(random.below(late.size()));
  const http::Request request = std::move(*chosen);
  late.erase(chosen);
  if (!server) return;
  const int status = server->handle(request).status;
  chronicle.tell({"late", request.method, request.target, request.body, fmt::to_string(status)});
}

void Line::cut() {
  cut_ = true;
  breakStreams();
}

void Line::breakStreams() {
  for (const auto& known : streams_)
    if (const auto fate = known.lock()) {
      fate->broken = true;
      if (fate->wake) fate->wake();
    }
  streams_.clear();
}

}  // namespace godwit::sim
