#include "controllers/claim/reconciler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "controllers/claim/provision.hpp"
#include "controllers/claim_users.hpp"
#include "kinds/claim_use.hpp"
#include "kinds/expansion.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::claim {
namespace {

namespace words = kinds::words;

constexpr std::string_view kWaitsForConsumer = "WaitForFirstConsumer";
constexpr std::string_view kResizing = "Resizing";
constexpr std::string_view kDeleting = "Deleting";

// What the claim has got: of a volume that is growing, no more than is there.
std::map<std::string, std::string> capacityOf(const kinds::PersistentVolume& volume) {
  auto capacity = volume.spec.capacity;
  if (kinds::isGrowing(volume)) capacity["storage"] = formatBytes(kinds::capacityFor(volume, kinds::sizeOf(volume)));
  return capacity;
}

// The condition is there only while the claim grows, as Kubernetes has it.
void setResizing(std::vector<kinds::Condition>& conditions, std::string_view reason, Timestamp now) {
  if (reason.empty()) return kinds::dropCondition(conditions, kResizing);
  const bool begun = reason == kResizing;
  kinds::setCondition(conditions,
                      {.type = std::string(kResizing),
                       .status = "True",
                       .reason = std::string(reason),
                       .message = begun ? "the volume is being made larger"
                                        : "the volume grows when the move of the guest that uses it is over",
                       .lastTransitionTime = {}},
                      now);
}

// The condition is there only while somebody keeps the claim from going.
void setDeleting(std::vector<kinds::Condition>& conditions, const std::string& user, Timestamp now) {
  if (user.empty()) return kinds::dropCondition(conditions, kDeleting);
  kinds::setCondition(conditions,
                      {.type = std::string(kDeleting),
                       .status = "False",
                       .reason = "InUse",
                       .message = fmt::format("{} uses the claim; it goes when that has ended", user),
                       .lastTransitionTime = {}},
                      now);
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  const auto unbound = [&](auto&&...) {
    for (const auto& claim : world.claims.by(index::kUnbound, "")) controller.enqueue(claim->metadata.key());
  };
  controller.follow(world.claims);
  world.volumes.onChange([&, unbound](const kinds::PersistentVolume*, const kinds::PersistentVolume* after) {
    unbound();
    if (!after || !after->spec.claimRef) return;
    controller.enqueue({after->spec.claimRef->nameSpace, after->spec.claimRef->name});
  });
  const auto isLeaving = [&](const object::Key& key) {
    const auto claim = world.claims.get(key);
    return claim && claim->metadata.beingDeleted();
  };
  world.instances.onChange(
      [&, isLeaving](const kinds::VirtualMachineInstance* before, const kinds::VirtualMachineInstance* after) {
        if (!before) return;
        const bool moveEnded = before->moving() && !(after && after->moving());
        for (const std::string& name : kinds::claimNamesOf(*before))
          if (moveEnded || isLeaving({before->metadata.nameSpace, name}))
            controller.enqueue({before->metadata.nameSpace, name});
      });
  world.pods.onChange([&, isLeaving](const kinds::Pod* before, const kinds::Pod* after) {
    const kinds::Pod& pod = after ? *after : *before;
    for (const std::string& name : kinds::claimNamesOf(pod))
      if (isLeaving({pod.metadata.nameSpace, name})) controller.enqueue({pod.metadata.nameSpace, name});
  });
  world.classes.onChange(unbound);
  world.nodes.onChange([unbound](const kinds::Node* before, const kinds::Node*) {
    if (!before) unbound();
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto claim = world_.claims.get(key);
  if (!claim) return control::Again{};
  // It is protected before it can be bound, and so before anybody can use it.
  if (!claim->metadata.beingDeleted() && !claim->metadata.isHeldBy(words::kClaimProtection))
    claim =
        std::make_shared<const kinds::PersistentVolumeClaim>(TRY(world_.client.hold(*claim, words::kClaimProtection)));
  const Scene scene = TRY(observe(std::move(claim)));
  const Step step = decide(scene.observed);
  TRY(record(scene, step));
  TRY(perform(scene, step.duty));
  return control::Again{};
}

Result<Reconciler::Scene> Reconciler::observe(std::shared_ptr<const kinds::PersistentVolumeClaim> claim) const {
  Scene scene{.claim = claim, .user = {}, .storageClass = {}, .node = {}, .volume = {}, .toBeMade = {}, .observed = {}};
  Observed& seen = scene.observed;
  seen.beingDeleted = claim->metadata.beingDeleted();
  if (seen.beingDeleted) scene.user = TRY(whoUses(world_, claim->metadata.key()));
  seen.inUse = !scene.user.empty();
  seen.bound = claim->bound();
  seen.volumeNamed = !claim->spec.volumeName.empty();
  if (seen.volumeNamed) {
    scene.volume = TRY(findSurely(world_, world_.volumes, {"", claim->spec.volumeName}));
    seen.namedVolumeExists = scene.volume != nullptr;
    if (scene.volume) {
      seen.namedVolumeFree = canBeKeptFor(*scene.volume, *claim);
      seen.namedVolumeTaken = !seen.namedVolumeFree && !isKeptFor(*scene.volume, *claim);
      observeGrowth(scene);
    }
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
  chooseVolume(scene);
  return scene;
}

void Reconciler::chooseVolume(Scene& scene) const {
  const kinds::PersistentVolumeClaim& claim = *scene.claim;
  for (const auto& volume : world_.volumes.by(index::kByClaim, object::show(claim.metadata.key()))) {
    if (!isKeptFor(*volume, claim)) continue;
    scene.volume = volume;
    scene.observed.volumeKeptForIt = true;
    return;
  }
  for (const auto& volume : world_.volumes.by(index::kFreeByClass, claim.spec.storageClassName)) {
    if (!fits(*volume, claim, scene.node.get())) continue;
    scene.volume = volume;
    scene.observed.fittingVolumeFree = true;
    return;
  }
}

void Reconciler::observeGrowth(Scene& scene) const {
  const kinds::PersistentVolumeClaim& claim = *scene.claim;
  Observed& seen = scene.observed;
  seen.growing = kinds::isGrowing(*scene.volume);
  seen.asksForMore =
      kinds::storageBytes(claim.spec.resources.requests) > kinds::storageBytes(scene.volume->spec.capacity);
  if (!seen.asksForMore) return;
  scene.storageClass = world_.classes.get({"", claim.spec.storageClassName});
  seen.mayGrow = scene.storageClass && kinds::mayGrow(*scene.volume, *scene.storageClass);
  for (const char* index : {index::kByClaim, index::kByDestination})
    for (const auto& instance : world_.instances.by(index, object::show(claim.metadata.key())))
      seen.userMoves = seen.userMoves || (instance->moving() && kinds::usesClaim(*instance, claim.metadata.name));
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  if (step.duty == Duty::LetGo) return {};
  auto after = *scene.claim;
  after.status.phase = step.phase;
  if (step.phase == "Bound") {
    after.status.capacity = capacityOf(*scene.volume);
    after.status.accessModes = scene.volume->spec.accessModes;
  }
  const kinds::Condition bound{.type = "Bound",
                               .status = step.phase == "Bound" ? "True" : "False",
                               .reason = std::string(step.reason),
                               .message = explain(scene, step),
                               .lastTransitionTime = {}};
  kinds::setCondition(after.status.conditions, bound, world_.clock.now());
  setResizing(after.status.conditions, step.resizing, world_.clock.now());
  setDeleting(after.status.conditions, scene.user, world_.clock.now());
  TRY(world_.client.changeStatus(*scene.claim, after));
  tell(scene, after);
  const kinds::Condition* before = kinds::findCondition(scene.claim->status.conditions, bound.type);
  if (!bound.message.empty() && (!before || before->reason != bound.reason || before->message != bound.message))
    world_.recorder.record(
        *scene.claim,
        step.reason == kWaitsForConsumer ? control::Recorder::Type::Normal : control::Recorder::Type::Warning,
        bound.reason, bound.message);
  return {};
}

// That the claim begins to grow, that it has grown, and who keeps it from going.
void Reconciler::tell(const Scene& scene, const kinds::PersistentVolumeClaim& after) const {
  const auto* before = kinds::findCondition(scene.claim->status.conditions, kResizing);
  const auto* now = kinds::findCondition(after.status.conditions, kResizing);
  if (now && (!before || before->reason != now->reason))
    world_.recorder.record(*scene.claim, control::Recorder::Type::Normal, now->reason, now->message);
  if (before && !now)
    world_.recorder.record(*scene.claim, control::Recorder::Type::Normal, "VolumeResizeSuccessful",
                           fmt::format("the volume has {}", object::valueOf(after.status.capacity, "storage")));
  const auto* kept = kinds::findCondition(after.status.conditions, kDeleting);
  const auto* keptBefore = kinds::findCondition(scene.claim->status.conditions, kDeleting);
  if (kept && (!keptBefore || keptBefore->message != kept->message))
    world_.recorder.record(*scene.claim, control::Recorder::Type::Normal, kept->reason, kept->message);
}

std::string Reconciler::explain(const Scene& scene, const Step& step) {
  const std::string& className = scene.claim->spec.storageClassName;
  if (step.reason == kWaitsForConsumer) return "waiting for first consumer to be created before binding";
  if (step.reason == "VolumeLost")
    return fmt::format("volume {} does not exist any more", scene.claim->spec.volumeName);
  if (step.reason == "VolumeTaken")
    return fmt::format("volume {} is kept for another claim, or is being deleted", scene.claim->spec.volumeName);
  if (step.reason == "ProvisioningFailed") return scene.toBeMade->error().message;
  if (step.reason == "ClassNotFound")
    return fmt::format("storage class {} does not exist, and no volume names it", className);
  if (step.reason == "NoVolumeFits")
    return fmt::format("no free volume {} has the size, modes and labels that the claim asks for",
                       className.empty() ? "without a class" : "of class " + className);
  return "";
}

Result<bool> Reconciler::isOneKept(const kinds::PersistentVolumeClaim& claim) const {
  const auto volumes = TRY(world_.client.list(schema::kind<kinds::PersistentVolume>));
  return std::any_of(volumes.items.begin(), volumes.items.end(), [&](const object::Document& volume) {
    return isKeptFor(schema::view<kinds::PersistentVolume>(volume), claim);
  });
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
    case Duty::RaiseCapacity: {
      // What it has now is on record in the same write, so the volume is never taken for as large as it is to be.
      auto after = kinds::withSize(*scene.volume, kinds::sizeOf(*scene.volume));
      after.spec.capacity["storage"] = scene.claim->spec.resources.requests.at("storage");
      TRY(world_.client.change(*scene.volume, after));
      return {};
    }
    case Duty::LetGo:
      return world_.client.letGo(*scene.claim, words::kClaimProtection);
    case Duty::Provision:
      return TRY(isOneKept(*scene.claim)) ? Result<>() : world_.client.ensure(**scene.toBeMade);
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::claim
