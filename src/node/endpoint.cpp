#include "node/endpoint.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "http/uri.hpp"

namespace godwit::node {
namespace {

// Who may ask: the group of API servers, and the one that newer kubeadms put theirs into.
constexpr std::string_view kMayAsk[] = {"system:masters", "kubeadm:cluster-admins"};

http::Response plain(int status, const std::string& text) {
  http::Response response;
  response.status = status;
  response.headers["content-type"] = "text/plain; charset=utf-8";
  response.body = text + "\n";
  return response;
}

int statusOf(Code code) {
  switch (code) {
    case Code::NotFound:
      return 404;
    case Code::Invalid:
      return 400;
    case Code::Conflict:
      return 409;
    case Code::Unavailable:
      return 503;
    case Code::AlreadyExists:
    case Code::Forbidden:
    case Code::Gone:
    case Code::Timeout:
    case Code::Internal:
      break;
  }
  return 500;
}

bool mayAsk(const http::PeerCertificate& peer) {
  const auto& groups = peer.organizations;
  return std::find_first_of(groups.begin(), groups.end(), std::begin(kMayAsk), std::end(kMayAsk)) != groups.end();
}

}  // namespace

http::Response Endpoint::handle(const http::Request& request) {
  if (!request.peer) return plain(401, "Unauthorized: a client certificate of the cluster's authority is needed");
  if (!mayAsk(*request.peer))
    return plain(403, fmt::format("Forbidden: {} is not in group {}", request.peer->commonName, kMayAsk[0]));
  auto answered = answer(request);
  return answered ? std::move(*answered) : plain(statusOf(answered.error().code), answered.error().message);
}

bool Endpoint::takesStream(const http::Request& request) const {
  return request.method == "POST" && request.target.starts_with("/uploads/");
}

Result<http::Response> Endpoint::answer(const http::Request& request) {
  const http::Target target = TRY(http::parseTarget(request.target));
  const auto& path = target.segments;
  if (path.size() == 4 && path[0] == "containerLogs") return answerLog(request, target);
  if (path.size() == 3 && path[0] == "uploads") return answerUpload(request, target);
  return plain(404, "404 page not found");
}

Result<http::Response> Endpoint::answerLog(const http::Request& request, const http::Target& target) const {
  if (request.method != "GET") return plain(405, "Method Not Allowed");
  const auto& path = target.segments;
  const logs::Options options = TRY(logs::readOptions(target.query, clock_.now()));
  http::Response response;
  response.headers["content-type"] = "text/plain";
  response.stream = TRY(logs_.stream({{path[1], path[2]}, path[3]}, options));
  return response;
}

Result<http::Response> Endpoint::answerUpload(const http::Request& request, const http::Target& target) {
  if (!request.stream) return plain(405, "Method Not Allowed");
  const std::string text = target.query.find("bytes").value_or("");
  std::int64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  TRY(uploads_.take({target.segments[1], target.segments[2]}, bytes, *request.stream));
  return plain(200, "taken");
}

}  // namespace godwit::node
