#include "scheduler/reconciler.hpp"

#include <fmt/format.h>

#include "kinds/words.hpp"

namespace godwit::scheduler {
namespace {

using kinds::Pod;

// Whether it takes up room, or may be assumed to.
bool counts(const Pod* pod) { return pod && !pod->ended() && (isWaiting(*pod) || !pod->spec.nodeName.empty()); }
bool isPlaced(const Pod* pod) { return counts(pod) && !isWaiting(*pod); }

json::object bindingOf(const Pod& pod, const std::string& node) {
  return {{"apiVersion", "v1"},
          {"kind", "Binding"},
          {"metadata", {{"namespace", pod.metadata.nameSpace}, {"name", pod.metadata.name}, {"uid", pod.metadata.uid}}},
          {"target", {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}}}};
}

// Calls for another look at pods when something happens that could help them.
struct Attention {
  const View& view;
  control::Controller& controller;

  void lookAgain(const char* atThoseThatWait) const {
    for (const auto& pod : view.pods.by(index::kWaiting, atThoseThatWait)) controller.enqueue(pod->metadata.key());
  }

  void podChanged(const Pod* before, const Pod* after) const {
    const bool waited = before && isWaiting(*before);
    if (waited || (after && isWaiting(*after))) controller.enqueue((after ? after : before)->metadata.key());
    const bool left = counts(before) && !counts(after);
    const bool relabelled = isPlaced(before) && isPlaced(after) && before->metadata.labels != after->metadata.labels;
    if (left || relabelled) lookAgain(index::kForAnything);
    if (!isPlaced(before) && isPlaced(after)) lookAgain(index::kForCompany);
  }

  // A heartbeat changes nothing that a pod could ask for.
  void nodeChanged(const kinds::Node* before, const kinds::Node* after) const {
    if (!before || !after || viewOf(*before) != viewOf(*after)) lookAgain(index::kForAnything);
  }

  void claimChanged(const object::Key& claim) const {
    for (const auto& pod : view.pods.by(index::kByClaim, object::show(claim)))
      if (isWaiting(*pod)) controller.enqueue(pod->metadata.key());
  }

  // Who keeps a volume is the only one it can help; what nobody keeps may help any that mounts claims.
  void volumeChanged(const kinds::PersistentVolume* before, const kinds::PersistentVolume* after) const {
    for (const kinds::PersistentVolume* volume : {before, after}) {
      if (!volume) continue;
      const auto& claim = volume->spec.claimRef;
      if (claim)
        claimChanged({claim->nameSpace, claim->name});
      else
        lookAgain(index::kForClaims);
    }
  }
};

}  // namespace

void Reconciler::listen(View& view, control::Controller& controller) {
  const Attention attention{view, controller};
  view.pods.onChange([attention](auto* before, auto* after) { attention.podChanged(before, after); });
  view.nodes.onChange([attention](auto* before, auto* after) { attention.nodeChanged(before, after); });
  view.claims.onChange(
      [attention](auto* before, auto* after) { attention.claimChanged((after ? after : before)->metadata.key()); });
  view.volumes.onChange([attention](auto* before, auto* after) { attention.volumeChanged(before, after); });
  view.classes.onChange([attention](auto&&...) { attention.lookAgain(index::kForClaims); });
  view.roster.onRelease([attention] { attention.lookAgain(index::kForAnything); });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto pod = view_.pods.get(key);
  if (!pod || !isWaiting(*pod)) return control::Again{};
  auto claims = view_.claimsOf(*pod);
  auto verdict = view_.roster.place(key, claims);
  if (!verdict) return control::Again{};
  const Scene scene{std::move(pod), std::move(claims), std::move(*verdict)};
  TRY(perform(scene, dutyOf(scene.claims, scene.verdict)));
  return control::Again{};
}

Result<> Reconciler::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Refuse:
      return refuse(scene);
    case Duty::SelectNode:
      return selectNode(scene);
    case Duty::AwaitVolumes:
      return {};
    case Duty::Bind:
      return bind(scene);
  }
  __builtin_unreachable();
}

Result<> Reconciler::refuse(const Scene& scene) const {
  auto after = *scene.pod;
  kinds::setCondition(after.status.conditions,
                      {.type = "PodScheduled",
                       .status = "False",
                       .reason = "Unschedulable",
                       .message = scene.verdict.summary,
                       .lastTransitionTime = {}},
                      view_.clock.now());
  if (after == *scene.pod) return {};
  TRY(view_.client.changeStatus(*scene.pod, after));
  view_.recorder.record(*scene.pod, control::Recorder::Type::Warning, "FailedScheduling", scene.verdict.summary);
  return {};
}

Result<> Reconciler::selectNode(const Scene& scene) const {
  for (const ClaimView& claim : scene.claims) {
    if (!needsNode(claim)) continue;
    const auto before = view_.claims.get({scene.pod->metadata.nameSpace, claim.name});
    if (!before) return fail(Code::Conflict, fmt::format("claim {} has gone meanwhile", claim.name));
    auto after = *before;
    after.metadata.annotations[std::string(kinds::words::kSelectedNode)] = scene.verdict.node;
    TRY(view_.client.change(*before, after));
  }
  return {};
}

// Bound by somebody else is a conflict: the next pass finds the pod where it is.
Result<> Reconciler::bind(const Scene& scene) const {
  const std::string& node = scene.verdict.node;
  const object::Key key = scene.pod->metadata.key();
  TRY(view_.client.post(schema::kind<Pod>, key, "binding", bindingOf(*scene.pod, node)));
  view_.recorder.record(*scene.pod, control::Recorder::Type::Normal, "Scheduled",
                        fmt::format("Successfully assigned {} to {}", object::show(key), node));
  return {};
}

}  // namespace godwit::scheduler
