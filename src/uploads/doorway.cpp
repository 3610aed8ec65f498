#include "uploads/doorway.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/status.hpp"
#include "base/bell.hpp"
#include "http/uri.hpp"
#include "kinds/pod.hpp"
#include "schema/read.hpp"

namespace godwit::uploads {
namespace {

struct Place {
  std::string_view path;
  bool async;
};

constexpr Place kPlaces[] = {{"/v1beta1/upload", false},
                             {"/v1beta1/upload-async", true},
                             {"/v1alpha1/upload", false},
                             {"/v1alpha1/upload-async", true}};

const Place* placeOf(const http::Request& request) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  const auto* found =
      std::find_if(std::begin(kPlaces), std::end(kPlaces), [&](const Place& p) { return p.path == path; });
  return found == std::end(kPlaces) ? nullptr : found;
}

bool carriesImage(const http::Request& request) { return request.method == "POST" || request.method == "PUT"; }

std::string headerOf(const http::Request& request, std::string_view name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? "" : found->second;
}

std::string tokenIn(const http::Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string shown = headerOf(request, "authorization");
  return shown.starts_with(kBearer) ? shown.substr(kBearer.size()) : "";
}

std::string targetOn(const object::Document& pod, const http::Request& request) {
  const object::Key key = object::keyOf(pod);
  const std::string length = headerOf(request, "content-length");
  return fmt::format("/uploads/{}/{}?bytes={}", http::encode(key.nameSpace), http::encode(key.name),
                     http::encode(length));
}

// A node refuses in plain text.
Error refusalOf(const http::Response& response) {
  std::string text = response.body.substr(0, response.body.find_last_not_of('\n') + 1);
  if (response.status == 400) return apiserver::badRequest(std::move(text));
  if (response.status == 409) return {Code::Conflict, std::move(text)};
  // What it does not know it will, as soon as it hears of it.
  const bool passing = response.status == 404 || response.status == 503;
  return {passing ? Code::Unavailable : Code::Internal, std::move(text)};
}

// How the pod has ended; nothing while it has not.
std::optional<Result<>> verdictOf(const kinds::Pod& pod) {
  if (!pod.ended()) return std::nullopt;
  if (pod.status.phase == kinds::pod_phase::kSucceeded) return Result<>();
  const bool unusable = pod.status.reason == "UnusableImage";
  return fail(unusable ? Code::Invalid : Code::Internal, pod.status.message);
}

http::Response refused(const Error& error) {
  http::Response response = apiserver::refuse(error, {"", "uploads", "Upload", ""});
  if (error.code == Code::Unavailable) response.headers["retry-after"] = "1";
  return response;
}

}  // namespace

// A place among those that are served at a time; none when all are taken.
class Doorway::Turn {
 public:
  explicit Turn(Doorway& door) : door_(door) {
    const Lock lock(door_.mutex_);
    taken_ = door_.underWay_ < kMostAtOnce;
    if (taken_) ++door_.underWay_;
  }
  ~Turn() {
    const Lock lock(door_.mutex_);
    if (taken_) --door_.underWay_;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  explicit operator bool() const { return taken_; }

 private:
  Doorway& door_;
  bool taken_ = false;
};

bool Doorway::takesStream(const http::Request& head) const {
  return placeOf(head) ? carriesImage(head) : around_.api.takesStream(head);
}

http::Response Doorway::handle(const http::Request& request) {
  const Place* place = placeOf(request);
  if (!place) return around_.api.handle(request);
  auto answered = answer(request, place->async);
  return answered ? std::move(*answered) : refused(answered.error());
}

Result<http::Response> Doorway::answer(const http::Request& request, bool async) {
  const auto grant = around_.tokens.read(tokenIn(request), around_.clock.now());
  const auto target = grant ? around_.targets.target(grant->claim) : fail(Code::Forbidden, "");
  const bool another = target && target->claim.metadata.uid != grant->claimUid;
  if (!grant || another)
    return apiserver::refuse(401, "Unauthorized", "the token is not good, or no longer; ask for another");
  if (!target) return fail(target.error());
  const object::Document pod = TRY(around_.targets.listener(*target));
  if (request.method == "GET") return apiserver::respondText(200, "");
  if (!request.stream) return apiserver::refuse(405, "MethodNotAllowed", "send the image by POST or PUT");
  const Turn turn(*this);
  if (!turn) return fail(Code::Unavailable, fmt::format("no more than {} uploads at a time are taken", kMostAtOnce));
  TRY(relay(request, pod));
  if (!async) TRY(awaitEnd(object::keyOf(pod), grant->claim));
  return apiserver::respondText(200, "");
}

Result<> Doorway::relay(const http::Request& request, const object::Document& pod) const {
  const std::string node = object::textAt(pod, {"spec", "nodeName"});
  const http::Request sent{.method = "POST", .target = targetOn(pod, request), .stream = request.stream};
  const http::Response told = TRY(around_.askNode(node, sent));
  return told.status == 200 ? Result<>() : fail(refusalOf(told));
}

// The watch only says when to look. A pod that has filled its claim may go.
Result<> Doorway::awaitEnd(const object::Key& key, const object::Key& claim) const {
  const std::string target = fmt::format("/api/v1/namespaces/{}/pods?watch=true&fieldSelector=metadata.name%3D{}",
                                         http::encode(key.nameSpace), http::encode(key.name));
  http::Response watch = around_.api.handle({.target = target, .peer = http::PeerCertificate{"godwit-uploads"}});
  ENSURE(watch.stream, "pods can be watched");
  const auto bell = std::make_shared<Bell>();
  for (bool over = false; !over;) {
    const auto pod = around_.targets.pod(key);
    if (!pod && TRY(around_.targets.isFilled(claim))) return {};
    if (!pod) return fail(pod.error());
    if (auto verdict = verdictOf(schema::view<kinds::Pod>(*pod))) return *verdict;
    watch.stream->whenReady([bell] { bell->ring(); });
    if (!bell->wait(around_.stop)) break;
    over = watch.stream->take().ended;
  }
  return fail(Code::Unavailable, "the image has come; the DataVolume will say whether it is good");
}

}  // namespace godwit::uploads
