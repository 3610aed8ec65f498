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
  if (isLost()) return fail(Code::Unavailable, "the request is lost");
  http::Request authorized = request;
  authorized.headers["authorization"] = authorization_;
  http::Response response = exchange_.server->handle(authorized);
  if (isLost()) return fail(Code::Unavailable, "the answer is lost");
  if (response.stream) {
    auto fate = std::make_shared<BreakableStream::Fate>();
    streams_.push_back(fate);
    response.stream = std::make_unique<BreakableStream>(std::move(response.stream), std::move(fate));
  }
  return response;
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
