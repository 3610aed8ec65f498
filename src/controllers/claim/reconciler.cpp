#include "controllers/claim/reconciler.hpp"

#include <fmt/format.h>

#include "controllers/claim/provision.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::claim {
namespace {

namespace words = kinds::words;

constexpr std::string_view kWaitsForConsumer = "WaitForFirstConsumer";

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  const auto unbound = [&](auto&&...) {
    for (const auto& claim : world.claims.list())
      if (!claim->bound()) controller.enqueue(claim->metadata.key());
  };
  controller.follow(world.claims);
  world.volumes.onChange(unbound);
  world.classes.onChange(unbound);
  world.nodes.onChange([unbound](const kinds::Node* before, const kinds::Node*) {
    if (!before) unbound();
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto claim = world_.claims.get(key);
  if (!claim) return control::Again{};
  const Scene scene = TRY(observe(std::move(claim)));
  const Step step = decide(scene.observed);
  TRY(record(scene, step));
  TRY(perform(scene, step.duty));
  return control::Again{};
}

Result<Reconciler::Scene> Reconciler::observe(std::shared_ptr<const kinds::PersistentVolumeClaim> claim) const {
  Scene scene{.claim = claim, .storageClass = {}, .node = {}, .volume = {}, .toBeMade = {}, .observed = {}};
  Observed& seen = scene.observed;
  seen.beingDeleted = claim->metadata.beingDeleted();
  seen.bound = claim->bound();
  seen.volumeNamed = !claim->spec.volumeName.empty();
  if (seen.volumeNamed) {
    scene.volume = TRY(findSurely(world_, world_.volumes, {"", claim->spec.volumeName}));
    seen.namedVolumeExists = scene.volume != nullptr;
    return scene;
  }
  scene.storageClass = world_.classes.get({"", claim->spec.storageClassName});
  const auto chosen = claim->metadata.annotations.find(std::string(words::kSelectedNode));
  if (chosen != claim->metadata.annotations.end()) scene.node = world_.nodes.get({"", chosen->second});
  seen.classNamed = !claim->spec.storageClassName.empty();
  seen.classExists = scene.storageClass != nullptr;
  seen.classIsOurs = scene.storageClass && isOurs(*scene.storageClass);
  seen.waitsForConsumer = scene.storageClass && scene.storageClass->waitsForConsumer();
  seen.nodeChosen = scene.node != nullptr;
  if (seen.classIsOurs && (seen.nodeChosen || !seen.waitsForConsumer)) {
    scene.toBeMade = renderVolume(*claim, *scene.storageClass, scene.node.get());
    seen.cannotBeMade = !*scene.toBeMade;
  }
  for (const auto& volume : world_.volumes.list()) {
    if (isKeptFor(*volume, *claim)) {
      scene.volume = volume;
      seen.volumeKeptForIt = true;
      return scene;
    }
    if (!seen.fittingVolumeFree && fits(*volume, *claim, scene.node.get())) {
      scene.volume = volume;
      seen.fittingVolumeFree = true;
    }
  }
  return scene;
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  auto after = *scene.claim;
  after.status.phase = step.phase;
  if (step.phase == "Bound") {
    after.status.capacity = scene.volume->spec.capacity;
    after.status.accessModes = scene.volume->spec.accessModes;
  }
  const kinds::Condition bound{.type = "Bound",
                               .status = step.phase == "Bound" ? "True" : "False",
                               .reason = std::string(step.reason),
                               .message = explain(scene, step),
                               .lastTransitionTime = {}};
  kinds::setCondition(after.status.conditions, bound, world_.clock.now());
  TRY(world_.client.changeStatus(*scene.claim, after));
  const kinds::Condition* before = kinds::findCondition(scene.claim->status.conditions, bound.type);
  if (!bound.message.empty() && (!before || before->reason != bound.reason || before->message != bound.message))
    world_.recorder.record(
        *scene.claim,
        step.reason == kWaitsForConsumer ? control::Recorder::Type::Normal : control::Recorder::Type::Warning,
        bound.reason, bound.message);
  return {};
}

std::string Reconciler::explain(const Scene& scene, const Step& step) {
  const std::string& className = scene.claim->spec.storageClassName;
  if (step.reason == kWaitsForConsumer) return "waiting for first consumer to be created before binding";
  if (step.reason == "VolumeLost")
    return fmt::format("volume {} does not exist any more", scene.claim->spec.volumeName);
  if (step.reason == "ProvisioningFailed") return scene.toBeMade->error().message;
  if (step.reason == "ClassNotFound")
    return fmt::format("storage class {} does not exist, and no volume names it", className);
  if (step.reason == "NoVolumeFits")
    return fmt::format("no free volume {} has the size, modes and labels that the claim asks for",
                       className.empty() ? "without a class" : "of class " + className);
  return "";
}

Result<> Reconciler::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::ConfirmBinding: {
      auto after = *scene.volume;
      after.status.phase = "Bound";
      TRY(world_.client.changeStatus(*scene.volume, after));
      return {};
    }
    case Duty::NameVolume: {
      auto after = *scene.claim;
      after.spec.volumeName = scene.volume->metadata.name;
      auto kept = *scene.volume;
      kept.spec.claimRef = referenceTo(*scene.claim);
      TRY(world_.client.change(*scene.volume, kept));
      // record() has written the claim a moment ago, so its version is not known here; only
      // this controller ever names a volume, and never another one.
      TRY(world_.client.change(*scene.claim, after, client::Unless::Never));
      return {};
    }
    case Duty::KeepVolume: {
      auto after = *scene.volume;
      after.spec.claimRef = referenceTo(*scene.claim);
      TRY(world_.client.change(*scene.volume, after));
      return {};
    }
    case Duty::Provision:
      return world_.client.ensure(**scene.toBeMade);
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::claim
