#include "node/importing/reconciler.hpp"

#include "kinds/calling_off.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/words.hpp"
#include "node/importing/compose.hpp"
#include "node/importing/owner.hpp"
#include "node/pod_status.hpp"

namespace godwit::node::importing {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

constexpr Duration kPublishEvery = 1s;

bool isWaiting(const std::optional<importer::Progress>& progress) {
  return progress && progress->stage == importer::Stage::Waiting;
}

Observed observe(const kinds::Pod& pod, const Importers::State& importer) {
  return {.ended = pod.ended(),
          .running = pod.status.phase == kinds::pod_phase::kRunning,
          .ready = pod.ready(),
          .beingDeleted = pod.metadata.beingDeleted(),
          .alive = importer.alive,
          .waiting = isWaiting(importer.progress),
          .hasVerdict = importer.verdict.has_value(),
          .filled = importer.verdict && importer.verdict->filled};
}

}  // namespace

Result<control::Again> Reconciler::reconcile(const kinds::Pod& pod) {
  const auto importer = TRY(site_.importers.state(pod.metadata.uid));
  const Observed observed = observe(pod, importer);
  const Step step = decide(observed);
  if (!step.phase.empty())
    TRY(reportPod(site_, pod, {step.phase, importer.verdict->reason, importer.verdict->message}));
  TRY(perform(pod, step.duty));
  if (!observed.alive || observed.ended) return control::Again{};
  TRY(publish(pod, importer.progress));
  // An importer that waits says so when that ends.
  return isWaiting(importer.progress) ? control::Again{} : control::Again{.after = kPublishEvery};
}

Result<> Reconciler::perform(const kinds::Pod& pod, Duty duty) const {
  const std::string& uid = pod.metadata.uid;
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::GiveOrders:
      return giveOrders(pod);
    case Duty::Start:
      return site_.importers.start(uid);
    case Duty::SayReady:
      return reportPod(site_, pod, {kinds::pod_phase::kRunning, "WaitingForUpload"});
    case Duty::Cancel:
      return site_.importers.cancel(uid);
    case Duty::Release:
      TRY(site_.importers.forget(uid));
      return releasePod(site_, pod);
  }
  __builtin_unreachable();
}

Result<> Reconciler::giveOrders(const kinds::Pod& pod) const {
  const auto orders = composeOrders(site_, pod);
  if (orders) {
    TRY(site_.importers.giveOrders(*orders));
    return reportPod(site_, pod, {kinds::pod_phase::kRunning, "Importing", "", !orders->upload});
  }
  const Error& error = orders.error();
  // The guest may be waiting for this very pod: it goes first.
  if (error.code == Code::Conflict)
    return reportPod(site_, pod, {kinds::pod_phase::kFailed, words::kSourceInUse, error.message});
  if (error.code == Code::Invalid && isMove(pod))
    return reportPod(site_, pod, {kinds::pod_phase::kFailed, words::kPreparationFailed, error.message});
  TRY(reportPod(site_, pod, {kinds::pod_phase::kPending, "NoOrders", error.message}));
  return fail(error);
}

Result<> Reconciler::publish(const kinds::Pod& pod, const std::optional<importer::Progress>& progress) const {
  if (!progress) return {};
  if (isMove(pod)) return publishMove(pod, *progress);
  const json::object patch = {{"status", {{"progress", importer::percentage(*progress)}}}};
  const auto written = site_.client.mergePatch(schema::kind<kinds::DataVolume>, ownerOf(pod), patch, "status");
  if (!written && written.error().code != Code::NotFound) return fail(written.error());
  return {};
}

Result<> Reconciler::publishMove(const kinds::Pod& pod, const importer::Progress& progress) const {
  const kinds::DiskProgress disk{.name = "", .bytesDone = progress.done, .bytesTotal = progress.total};
  auto after = pod;
  after.metadata.annotations[std::string(words::kCopyProgress)] = json::serialize(schema::write(disk));
  const auto written = site_.client.change(pod, after, client::Unless::Never);
  if (!written && written.error().code != Code::NotFound) return fail(written.error());
  return {};
}

}  // namespace godwit::node::importing
