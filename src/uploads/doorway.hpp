#pragma once

#include <stop_token>

#include "apiserver/pod_log.hpp"
#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "uploads/targets.hpp"
#include "uploads/tokens.hpp"

namespace godwit::uploads {

// Stands before the API server and takes images for claims, as CDI's upload proxy does: POST or PUT to /v1beta1/upload,
// which answers when the claim is filled, or /v1beta1/upload-async, which answers when all has come; with a token
// instead of a user. The body goes on to the node whose importer waits for it. All else is for the API server.
class Doorway final : public http::Handler {
 public:
  struct Surroundings {
    http::Handler& api;
    const Targets& targets;
    const Tokens& tokens;
    apiserver::AskNode askNode;
    const Clock& clock;
    std::stop_token stop;  // nobody waits for a claim to be filled after that
  };

  // Each holds one thread of the server.
  static constexpr int kMostAtOnce = 8;

  explicit Doorway(Surroundings surroundings) : around_(std::move(surroundings)) {}

  http::Response handle(const http::Request& request) override;
  bool takesStream(const http::Request& head) const override;

 private:
  class Turn;

  Result<http::Response> answer(const http::Request& request, bool async);
  // Sends the body to the node of the pod.
  Result<> relay(const http::Request& request, const object::Document& pod) const;
  Result<> awaitEnd(const object::Key& pod, const object::Key& claim) const;

  const Surroundings around_;
  Mutex mutex_;
  int underWay_ GUARDED_BY(mutex_) = 0;
};

}  // namespace godwit::uploads
