#include "node/pod_status.hpp"

#include "kinds/words.hpp"

namespace godwit::node {

namespace {

kinds::Pod reported(const Site& site, const kinds::Pod& pod, const PodReport& report) {
  auto after = pod;
  after.status.phase = report.phase;
  after.status.reason = report.reason;
  after.status.message = report.message;
  const bool ready = report.phase == kinds::pod_phase::kRunning && report.ready;
  kinds::setCondition(after.status.conditions,
                      {.type = "Ready",
                       .status = ready ? "True" : "False",
                       .reason = std::string(report.reason),
                       .message = report.message,
                       .lastTransitionTime = {}},
                      site.clock.now());
  if (report.end) after.status.containerStatuses = {{pod.spec.containers.at(0).name, {report.end}}};
  return after;
}

}  // namespace

Result<> reportPod(const Site& site, const kinds::Pod& pod, const PodReport& report) {
  const auto written = site.client.changeStatus(pod, reported(site, pod, report), client::Unless::Never);
  if (!written && written.error().code != Code::NotFound) return fail(written.error());
  return {};
}

Result<> reportNews(const Site& site, const kinds::Pod& pod, const PodReport& report) {
  TRY(site.client.changeStatus(pod, reported(site, pod, report)));
  return {};
}

Result<> releasePod(const Site& site, const kinds::Pod& pod) {
  return site.client.letGo(pod, kinds::words::kNodeFinalizer);
}

}  // namespace godwit::node
