#include "controllers/data_volume/reconciler.hpp"

#include <fmt/format.h>

#include "controllers/data_volume/render.hpp"
#include "controllers/data_volume/status.hpp"
#include "controllers/importer_pod.hpp"
#include "controllers/unfilled.hpp"
#include "kinds/data_volume_rules.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::data_volume {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

// Pods and claim have gone.
constexpr std::string_view kFinalizer = "godwit.io/data-volume";

Observed::PodPhase phaseOf(const kinds::Pod& pod) {
  using enum Observed::PodPhase;
  if (pod.status.phase == kinds::pod_phase::kSucceeded) return Succeeded;
  if (pod.status.phase == kinds::pod_phase::kFailed) return Failed;
  return pod.status.phase == kinds::pod_phase::kRunning ? Running : Pending;
}

Observed::Pod viewOf(const kinds::Pod& pod, Timestamp now) {
  return {.phase = phaseOf(pod), .ready = pod.ready(), .endedFor = endedFor(pod, now)};
}

Observed::Source sourceOf(const kinds::DataVolumeSource& source) {
  if (source.pvc) return Observed::Source::Copy;
  if (source.upload) return Observed::Source::Upload;
  return source.http || source.registry ? Observed::Source::Download : Observed::Source::Blank;
}

std::string inOneSentence(const std::vector<FieldProblem>& problems) {
  std::vector<std::string> parts;
  for (const FieldProblem& problem : problems) parts.push_back(problem.path + ": " + problem.problem);
  return fmt::format("{}", fmt::join(parts, "; "));
}

template <class T>
bool isOwnedBy(const T& object, const kinds::DataVolume& volume) {
  for (const auto& owner : object.metadata.ownerReferences)
    if (owner.uid == volume.metadata.uid) return true;
  return false;
}

// An instance that has the claim for a disk and has not ended; null when there is none.
std::shared_ptr<const kinds::VirtualMachineInstance> userOf(const World& world, const object::Key& claim) {
  for (const auto& instance : world.instances.by(index::kByClaim, object::show(claim)))
    if (!kinds::isFinal(instance->status.phase)) return instance;
  return nullptr;
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  const auto enqueueCopiesOf = [&](const std::string& claim) {
    for (const auto& volume : world.dataVolumes.by(index::kByClaim, claim)) controller.enqueue(volume->metadata.key());
  };
  controller.follow(world.dataVolumes);
  controller.follow(world.claims);
  world.pods.onChange([&](const kinds::Pod* before, const kinds::Pod* after) {
    const kinds::Pod& pod = after ? *after : *before;
    for (const auto& owner : pod.metadata.ownerReferences)
      if (owner.kind == schema::kind<kinds::DataVolume>.name) controller.enqueue({pod.metadata.nameSpace, owner.name});
  });
  world.claims.onChange(
      [enqueueCopiesOf](const kinds::PersistentVolumeClaim* before, const kinds::PersistentVolumeClaim* after) {
        enqueueCopiesOf(object::show((after ? after : before)->metadata.key()));
      });
  world.instances.onChange(
      [enqueueCopiesOf](const kinds::VirtualMachineInstance* before, const kinds::VirtualMachineInstance* after) {
        for (const auto* instance : {before, after})
          if (instance)
            for (const std::string& claim : claimsUsedBy(*instance)) enqueueCopiesOf(claim);
      });
  // A DataVolume that is to go waits for its guest.
  world.instances.onChange(
      [&](const kinds::VirtualMachineInstance* before, const kinds::VirtualMachineInstance* after) {
        if (after && !kinds::isFinal(after->status.phase)) return;
        const kinds::VirtualMachineInstance& ended = after ? *after : *before;
        for (const kinds::VolumeSpec& volume : ended.spec.allVolumes())
          controller.enqueue({ended.metadata.nameSpace, volume.claim()});
      });
  // The claim of a DataVolume has its name.
  world.dataVolumes.onChange([enqueueCopiesOf](const kinds::DataVolume* before, const kinds::DataVolume* after) {
    if (before && after && before->status.phase != after->status.phase)
      enqueueCopiesOf(object::show(after->metadata.key()));
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto volume = world_.dataVolumes.get(key);
  if (!volume) return control::Again{};
  const Scene scene = TRY(observe(std::move(volume)));
  const Step step = decide(scene.observed);
  TRY(tellUploader(scene));
  TRY(record(scene, step));
  TRY(perform(scene, step.duty));
  const auto& pod = scene.observed.pod;
  if (!pod || pod->phase != Observed::PodPhase::Failed) return control::Again{};
  return control::Again{.after = std::max<Duration>(waitAfter(scene.observed) - pod->endedFor, 0s)};
}

Result<Reconciler::Scene> Reconciler::observe(std::shared_ptr<const kinds::DataVolume> volume) const {
  Scene scene{.volume = volume};
  Observed& seen = scene.observed;
  scene.problems = inOneSentence(kinds::problemsOf(*volume));
  seen.source = sourceOf(volume->spec.source);
  seen.succeeded = volume->status.phase == DataVolumePhase::Succeeded;
  seen.beingDeleted = volume->metadata.beingDeleted();
  seen.usedByGuest = userOf(world_, volume->metadata.key()) != nullptr;
  seen.invalid = !scene.problems.empty();
  seen.restarts = volume->status.restartCount;
  if (seen.invalid || seen.beingDeleted || seen.succeeded) return scene;
  TRY(observeOriginal(scene));
  TRY(observeClaim(scene));
  return scene;
}

Result<> Reconciler::observeClaim(Scene& scene) const {
  const kinds::DataVolume& volume = *scene.volume;
  Observed& seen = scene.observed;
  scene.storageClass = world_.classes.get({"", volume.spec.claim()->storageClassName});
  scene.claim = TRY(findSurely(world_, world_.claims, volume.metadata.key()));
  seen.claimExists = scene.claim != nullptr;
  if (!scene.claim) return {};
  seen.claimIsOurs = isOwnedBy(*scene.claim, volume);
  seen.claimBound = scene.claim->bound();
  seen.claimLost = scene.claim->status.phase == "Lost";
  // A copy is made where its original is, so the importer itself is the consumer.
  seen.waitsForConsumer = scene.storageClass && scene.storageClass->waitsForConsumer() &&
                          seen.source != Observed::Source::Copy &&
                          !volume.metadata.annotations.contains(std::string(words::kBindImmediately));
  scene.pod = TRY(findSurely(world_, world_.pods, {volume.metadata.nameSpace, importerName(volume, *scene.claim)}));
  if (scene.pod) seen.pod = viewOf(*scene.pod, world_.clock.now());
  return {};
}

Result<> Reconciler::observeOriginal(Scene& scene) const {
  const auto& source = scene.volume->spec.source.pvc;
  if (!source) return {};
  const object::Key key{scene.volume->metadata.nameSpace, source->name};
  scene.original = TRY(findSurely(world_, world_.claims, key));
  if (!scene.original)
    scene.sourceTrouble = fmt::format("claim {} does not exist", key.name);
  else if (!scene.original->bound())
    scene.sourceTrouble = fmt::format("claim {} is not bound", key.name);
  else if (const auto unfilled = unfilledBehind(world_, *scene.original); !unfilled.empty())
    scene.sourceTrouble = unfilled;
  if (const auto user = userOf(world_, key))
    scene.sourceTrouble =
        fmt::format("VMI {} uses claim {}; it is copied when that has stopped", user->metadata.name, key.name);
  scene.observed.sourceReady = scene.sourceTrouble.empty();
  return {};
}

// virtctl asks the claim how far an upload is. That is as the pod has it on record, and there before the DataVolume is
// done with it.
Result<> Reconciler::tellUploader(const Scene& scene) const {
  if (scene.observed.source != Observed::Source::Upload || !scene.pod) return {};
  auto after = *scene.claim;
  auto& notes = after.metadata.annotations;
  notes[std::string(words::kUploadPod)] = scene.pod->metadata.name;
  notes[std::string(words::kUploadPodPhase)] = scene.pod->status.phase.empty() ? "Pending" : scene.pod->status.phase;
  notes[std::string(words::kUploadPodReady)] = scene.pod->ready() ? "true" : "false";
  if (after == *scene.claim) return {};
  TRY(world_.client.change(*scene.claim, after));
  return {};
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  const kinds::DataVolume& volume = *scene.volume;
  if (scene.observed.beingDeleted || scene.observed.succeeded) return {};
  kinds::DataVolume current = volume;
  if (volume.status.phase == DataVolumePhase::Unset) current = TRY(world_.client.hold(volume, kFinalizer));
  const bool waitsForSource = step.reason == "WaitingForSource";
  const Account account{.claim = scene.claim.get(),
                        .pod = scene.pod.get(),
                        .trouble = waitsForSource ? scene.sourceTrouble : scene.problems,
                        .now = world_.clock.now()};
  auto after = current;
  after.status = statusAfter(current, step, account);
  if (after == current) return {};
  TRY(world_.client.changeStatus(current, after));
  const std::string reason = reasonFor(step, account);
  const kinds::Condition* before = kinds::findCondition(volume.status.conditions, "Running");
  const std::string message = explain(step, account);
  if (before && before->reason == reason && before->message == message) return {};
  const bool failed = scene.observed.pod && scene.observed.pod->phase == Observed::PodPhase::Failed;
  using enum control::Recorder::Type;
  world_.recorder.record(
      volume, failed || scene.observed.invalid ? Warning : Normal, reason,
      message.empty() ? fmt::format("The DataVolume is {}.", schema::nameOf(after.status.phase)) : message);
  return {};
}

Result<> Reconciler::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
    case Duty::BeginAgain:
      return {};
    case Duty::CreateClaim:
      return world_.client.ensure(renderClaim(*scene.volume, scene.storageClass.get(), scene.original.get()));
    case Duty::CreatePod: {
      const kinds::Pod pod = renderImporter(*scene.volume, *scene.claim);
      TRY(removePods(scene, pod.metadata.name));
      return world_.client.ensure(pod);
    }
    case Duty::RemovePods:
      return removePods(scene);
    case Duty::TearDown:
      return tearDown(scene);
  }
  __builtin_unreachable();
}

Result<> Reconciler::removePods(const Scene& scene, const std::string& but) const {
  for (const auto& pod : world_.pods.by(index::kByOwner, scene.volume->metadata.uid))
    if (pod->metadata.name != but && !pod->metadata.beingDeleted()) TRY(world_.client.remove(*pod));
  return {};
}

// The claim goes only after the pods: an importer that is still at it must not lose the volume under its hands.
Result<> Reconciler::tearDown(const Scene& scene) const {
  const kinds::DataVolume& volume = *scene.volume;
  const auto pods = TRY(world_.client.list(schema::kind<kinds::Pod>,
                                           {.nameSpace = volume.metadata.nameSpace,
                                            .labelSelector = fmt::format("{}={}", words::kApp, words::kAppImporter),
                                            .fieldSelector = ""}));
  bool gone = true;
  for (const object::Document& document : pods.items) {
    const auto pod = schema::view<kinds::Pod>(document);
    if (!isOwnedBy(pod, volume)) continue;
    gone = false;
    if (!pod.metadata.beingDeleted()) TRY(world_.client.remove(pod));
  }
  if (!gone) return {};
  const auto claim = TRY(world_.client.find<kinds::PersistentVolumeClaim>(volume.metadata.key()));
  if (claim && isOwnedBy(*claim, volume) && !claim->metadata.beingDeleted()) TRY(world_.client.remove(*claim));
  return world_.client.letGo(volume, kFinalizer);
}

}  // namespace godwit::controllers::data_volume
