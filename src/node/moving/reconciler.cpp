#include "node/moving/reconciler.hpp"

#include "kinds/calling_off.hpp"
#include "kinds/migration.hpp"
#include "kinds/words.hpp"
#include "node/moving/compose.hpp"
#include "node/moving/options.hpp"
#include "node/pod_status.hpp"

namespace godwit::node::moving {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

constexpr Duration kPublishEvery = 1s;

// A verdict counts once its mover has gone, which it does at once: until then it has its last words to say.
Observed observe(const kinds::Pod& pod, const Movers::State& mover) {
  const bool over = mover.verdict && !mover.alive;
  return {.ended = pod.ended(),
          .running = pod.status.phase == kinds::pod_phase::kRunning,
          .beingDeleted = pod.metadata.beingDeleted(),
          .cancelRequested = pod.metadata.annotations.contains(std::string(words::kCancelMove)),
          .targetDead = object::valueOf(pod.metadata.annotations, words::kCancelMove) == words::kTargetDead,
          .alive = mover.alive,
          .hasVerdict = over,
          .moved = over && mover.verdict->stage == mover::Stage::Moved};
}

json::object wordsOf(const mover::Progress& progress) {
  json::object words = schema::write(progress).as_object();
  words.erase("mode");  // is told elsewhere
  return words;
}

// All of it, in place of what was said before: a field that is left out would stay as it was.
json::object wholePatchOf(const mover::Progress& progress) {
  json::object patch = wordsOf(progress);
  for (const schema::Property& field : schema::shapeFor<mover::Progress>().properties)
    if (!patch.contains(field.name) && field.name != "mode") patch[field.name] = nullptr;
  return patch;
}

object::Key migrationOf(const kinds::Pod& pod) {
  return {pod.metadata.nameSpace, object::valueOf(pod.metadata.annotations, words::kMigrationJobName)};
}

}  // namespace

Result<control::Again> Reconciler::reconcile(const kinds::Pod& pod) {
  const std::string move = object::valueOf(pod.metadata.labels, words::kMigrationJobUid);
  if (move.empty()) return control::Again{};
  const auto mover = TRY(site_.movers.state(move));
  const Observed observed = observe(pod, mover);
  const Step step = decide(observed);
  TRY(record(pod, move, step, mover));
  TRY(perform(pod, move, step.duty));
  TRY(passOptionsOn(pod, move));
  if (!observed.alive || observed.hasVerdict || observed.ended) return control::Again{};
  return publishNowAndThen(pod, move);
}

Result<> Reconciler::record(const kinds::Pod& pod, const std::string& move, const Step& step,
                            const Movers::State& mover) const {
  if (step.phase.empty()) return {};
  // It is about to be started, and a pod that the cache has too long must not be: so somebody else's write counts.
  if (!mover.verdict) return reportNews(site_, pod, {step.phase, "Moving", ""});
  const auto progress = site_.movers.progress(move);
  if (progress) TRY(tellMode(pod, *progress));
  // How far it came is told together with its end: then the migration ends, too.
  return reportPod(site_, pod,
                   {.phase = step.phase,
                    .reason = mover.verdict->reason,
                    .message = mover.verdict->message,
                    .end = kinds::ContainerEnd{.exitCode = mover::exitCodeOf(mover.verdict->stage),
                                               .reason = mover.verdict->reason,
                                               .message = progress ? json::serialize(wordsOf(*progress)) : ""}});
}

Result<> Reconciler::passOptionsOn(const kinds::Pod& pod, const std::string& move) const {
  const auto options = optionsOf(pod);
  if (!options || pod.ended() || !site_.movers.hasOrders(move)) return {};
  return site_.movers.giveOptions(move, *options);
}

void Reconciler::forget(const std::string& move) {
  const Lock lock(mutex_);
  published_.erase(move);
}

Result<> Reconciler::perform(const kinds::Pod& pod, const std::string& move, Duty duty) {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::Start:
      return start(pod, move);
    case Duty::Cancel:
      return site_.movers.cancel(move);
    case Duty::TellTargetDead:
      return site_.movers.tellTargetDead(move);
    case Duty::Release:
      TRY(site_.movers.forget(move));
      forget(move);
      return releasePod(site_, pod);
  }
  __builtin_unreachable();
}

// Without a way there is nothing to order: no mover was ever started, and none will be.
Result<> Reconciler::start(const kinds::Pod& pod, const std::string& move) const {
  if (!site_.movers.hasOrders(move)) {
    const auto orders = composeOrders(site_, pod);
    if (!orders && orders.error().code == Code::Forbidden)
      return reportPod(site_, pod, {kinds::pod_phase::kFailed, "NoRoute", orders.error().message});
    if (!orders) return fail(orders.error());
    TRY(site_.movers.giveOrders(*orders, optionsOf(pod).value_or(mover::Options{})));
  }
  return site_.movers.start(move);
}

// Whoever calls more often has other reasons: a guest that is just being switched over is not to wait for words about
// it.
Result<control::Again> Reconciler::publishNowAndThen(const kinds::Pod& pod, const std::string& move) {
  const Timestamp now = site_.clock.now();
  {
    const Lock lock(mutex_);
    Timestamp& last = published_[move];
    if (now - last < kPublishEvery) return control::Again{.after = kPublishEvery - (now - last)};
    last = now;
  }
  TRY(publish(pod, move));
  return control::Again{.after = kPublishEvery};
}

Result<> Reconciler::publish(const kinds::Pod& pod, const std::string& move) const {
  const auto progress = site_.movers.progress(move);
  if (!progress || migrationOf(pod).name.empty()) return {};
  const json::object patch = {{"status", {{"godwit", {{"progress", wholePatchOf(*progress)}}}}}};
  const auto written =
      site_.client.mergePatch(schema::kind<kinds::VirtualMachineInstanceMigration>, migrationOf(pod), patch, "status");
  if (!written && written.error().code != Code::NotFound) return fail(written.error());
  return tellMode(pod, *progress);
}

// Unless memory is copied as usual.
Result<> Reconciler::tellMode(const kinds::Pod& pod, const mover::Progress& progress) const {
  if (progress.mode.empty()) return {};
  const auto moved = TRY(site_.client.find<kinds::VirtualMachineInstanceMigration>(migrationOf(pod)));
  if (!moved) return {};
  const auto instance =
      TRY(site_.client.find<kinds::VirtualMachineInstance>({moved->metadata.nameSpace, moved->spec.vmiName}));
  const auto* const state = instance && instance->status.migrationState ? &*instance->status.migrationState : nullptr;
  if (!state || state->migrationUid != moved->metadata.uid || state->mode == progress.mode) return {};
  auto after = *instance;
  after.status.migrationState->mode = progress.mode;
  TRY(site_.client.change(*instance, after));
  return {};
}

}  // namespace godwit::node::moving
