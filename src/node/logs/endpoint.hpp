#pragma once

#include "base/clock.hpp"
#include "http/message.hpp"
#include "node/logs/pod_logs.hpp"

namespace godwit::node::logs {

// What the node answers by itself, as a kubelet does: GET /containerLogs/NAMESPACE/POD/CONTAINER, and only to the
// API server, which shows a certificate of the cluster's authority. Refusals are plain text.
class Endpoint final : public http::Handler {
 public:
  Endpoint(const PodLogs& logs, const Clock& clock) : logs_(logs), clock_(clock) {}

  http::Response handle(const http::Request& request) override;

 private:
  Result<http::Response> answer(const http::Request& request) const;

  const PodLogs& logs_;
  const Clock& clock_;
};

}  // namespace godwit::node::logs
