#pragma once

#include "base/clock.hpp"
#include "http/message.hpp"
#include "http/uri.hpp"
#include "node/logs/pod_logs.hpp"
#include "node/uploads.hpp"

namespace godwit::node {

// What the node answers by itself, and only to the API server, which shows a certificate of the cluster's authority:
// GET /containerLogs/NAMESPACE/POD/CONTAINER, as a kubelet does, and POST /uploads/NAMESPACE/POD?bytes=N, whose body an
// importer gets. Refusals are plain text.
class Endpoint final : public http::Handler {
 public:
  Endpoint(const logs::PodLogs& logs, Uploads& uploads, const Clock& clock)
      : logs_(logs), uploads_(uploads), clock_(clock) {}

  http::Response handle(const http::Request& request) override;
  bool takesStream(const http::Request& request) const override;

 private:
  Result<http::Response> answer(const http::Request& request);
  Result<http::Response> answerLog(const http::Request& request, const http::Target& target) const;
  Result<http::Response> answerUpload(const http::Request& request, const http::Target& target);

  const logs::PodLogs& logs_;
  Uploads& uploads_;
  const Clock& clock_;
};

}  // namespace godwit::node
