#include "node/launcher/reconciler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/log.hpp"
#include "kinds/calling_off.hpp"
#include "kinds/words.hpp"
#include "node/filled.hpp"
#include "node/launcher/volumes.hpp"
#include "node/moving/compose.hpp"
#include "node/pod_status.hpp"

namespace godwit::node::launcher {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

constexpr std::string_view kPaused = "Paused";  // condition of a pod
constexpr Duration kAskAgain = 1s;
constexpr Duration kLookAgain = 10s;

object::Key instanceOf(const kinds::Pod& pod) {
  return {pod.metadata.nameSpace, object::valueOf(pod.metadata.labels, words::kVmiName)};
}

bool takesPart(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance) {
  if (!instance.moving()) return false;
  const auto& state = *instance.status.migrationState;
  return state.sourcePod == pod.metadata.name ||
         state.migrationUid == object::valueOf(pod.metadata.labels, words::kMigrationJobUid);
}

// Nobody fills what a guest runs on.
bool runsOn(const kinds::VirtualMachineInstance& instance, const std::string& claim) {
  const auto volumes = instance.spec.allVolumes();
  return std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.claim() == claim; });
}

Observed::PodPhase phaseOf(const kinds::Pod& pod) {
  if (pod.ended()) return Observed::PodPhase::Ended;
  return pod.status.phase == kinds::pod_phase::kRunning ? Observed::PodPhase::Running : Observed::PodPhase::Pending;
}

// The time it has begins when its end was asked for.
bool hasTimeLeft(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance, Timestamp now) {
  const auto& grace = instance.spec.terminationGracePeriodSeconds;
  const auto& asked = pod.metadata.deletionTimestamp;
  return grace && asked && now < *asked + std::chrono::seconds(*grace);
}

}  // namespace

Reconciler::Reconciler(Site& site)
    : site_(site),
      containerDisks_({.node = site.name,
                       .directory = site.containerDirectory,
                       .importers = site.importers,
                       .clock = site.clock,
                       .findSecret = [&site](const object::Key& key) { return site.client.get<kinds::Secret>(key); }}) {
}

Result<control::Again> Reconciler::reconcile(const kinds::Pod& pod) {
  const Scene scene = TRY(observe(pod));
  const Step step = decide(scene.observed);
  if (!step.phase.empty()) TRY(reportPod(site_, pod, {step.phase, step.reason, scene.waitsFor}));
  TRY(perform(TRY(notePause(pod, scene.observed, step.duty)), scene, step.duty));
  if (ownsGuest(scene)) site_.movers.beReady();
  if (ownsGuest(scene) && scene.observed.isTarget) TRY(forgetArrival(pod));
  const bool settled = !ownsGuest(scene) || TRY(plugDisks(site_, *scene.instance, scene.disks));
  // The hypervisor tells of every change; but what it was about to tell is lost when its daemon dies.
  const bool leaving = step.duty == Duty::DestroyGuest || step.duty == Duty::ShutDownGuest;
  const bool ready = settled && scene.observed.volumesReady && step.reason != kGuestMissed;
  const bool waits = !scene.observed.domainKnown || leaving || !ready;
  return control::Again{.after = waits ? kAskAgain : kLookAgain};
}

Result<> Reconciler::forgetArrival(const kinds::Pod& pod) {
  {
    const Lock lock(mutex_);
    if (settledIn_.contains(pod.metadata.uid)) return {};
  }
  TRY(site_.hypervisor.forgetArrival(kinds::domainName(instanceOf(pod))));
  const Lock lock(mutex_);
  settledIn_.insert(pod.metadata.uid);
  return {};
}

// Whether the guest runs here for good, and nothing else has a hand on its disks.
bool Reconciler::ownsGuest(const Scene& scene) {
  const Observed& seen = scene.observed;
  return scene.instance && seen.phase == Observed::PodPhase::Running && seen.active && seen.domainHere &&
         !seen.beingDeleted && !scene.instance->moving() &&
         scene.instance->status.phase == kinds::InstancePhase::Running;
}

// The hypervisor first, the server afterwards: what the server says then is true of a guest
// that was seen here, or seen not to be here, before.
Result<Reconciler::Scene> Reconciler::observe(const kinds::Pod& pod) {
  Scene scene{.instance = {}, .waitsFor = {}, .disks = {}, .observed = {}};
  Observed& seen = scene.observed;
  seen.phase = phaseOf(pod);
  seen.beingDeleted = pod.metadata.beingDeleted();
  seen.isTarget = !object::valueOf(pod.metadata.labels, words::kMigrationJobUid).empty();
  seen.mayHaveBeenPaused = kinds::findCondition(pod.status.conditions, kPaused) != nullptr;
  seen.missedBefore = pod.status.reason == kGuestMissed;
  const std::string name = kinds::domainName(instanceOf(pod));
  auto domain = site_.hypervisor.describe(name);
  seen.domainKnown = domain || domain.error().code == Code::NotFound;
  seen.domainHere = domain && domain->owner == object::valueOf(pod.metadata.labels, words::kCreatedBy);
  seen.domainRuns = seen.domainHere && domain->state == hypervisor::RunState::Running;
  seen.standsStill = seen.domainHere && domain->state == hypervisor::RunState::Paused;
  seen.poweredOff = !seen.domainHere && site_.hypervisor.endingOf(name) == hypervisor::Ending::PoweredOff;
  if (seen.domainHere) scene.disks = std::move(domain->disks);

  auto instance = TRY(site_.client.find<kinds::VirtualMachineInstance>(instanceOf(pod)));
  seen.instanceExists = instance && instance->metadata.uid == object::valueOf(pod.metadata.labels, words::kCreatedBy);
  if (!seen.instanceExists) return scene;
  const auto& status = instance->status;
  const bool here = status.nodeName == site_.name;
  seen.active = here && status.godwit.activePod == pod.metadata.name;
  seen.anotherPodIsActive = here && !seen.active;
  seen.toBeStarted = seen.active && status.phase == kinds::InstancePhase::Scheduled;
  const bool calledOff = object::valueOf(pod.metadata.annotations, words::kCancelMove) == words::kSourceDead;
  seen.moving = takesPart(pod, *instance) && !calledOff;
  seen.orphaned = takesPart(pod, *instance) && calledOff;
  if (seen.orphaned && seen.domainKnown && !seen.domainHere) TRY(lookForTraces(name, seen));
  if (seen.phase == Observed::PodPhase::Pending && !seen.domainHere) scene.waitsFor = TRY(whyNotYet(pod, *instance));
  seen.volumesReady = scene.waitsFor.empty();
  if (seen.moving && seen.active && !site_.movers.hasOrders(status.migrationState->migrationUid))
    site_.movers.expect(moving::draftOrders(site_, *instance));
  seen.toBePaused = instance->toBePaused();
  seen.graceLeft = hasTimeLeft(pod, *instance, site_.clock.now());
  scene.instance = std::move(*instance);
  return scene;
}

Result<> Reconciler::lookForTraces(const std::string& domain, Observed& seen) const {
  const auto state = site_.hypervisor.runStateOf(domain);
  seen.domainRan = !state && state.error().code == Code::Gone;
  const bool known = state || seen.domainRan || state.error().code == Code::NotFound;
  return known ? Result<>() : fail(state.error());
}

Result<std::string> Reconciler::whyNotYet(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance) {
  for (const kinds::PodVolume& volume : pod.spec.volumes) {
    if (!volume.persistentVolumeClaim) continue;
    const object::Key claim{pod.metadata.nameSpace, volume.persistentVolumeClaim->claimName};
    if (instance.moving() && runsOn(instance, claim.name)) continue;
    if (std::string why = TRY(node::whyNotYet(site_.client, claim, &instance)); !why.empty()) return why;
  }
  // A guest that comes from elsewhere brings its own.
  if (instance.moving()) return "";
  const auto disks = storage::wantedDisks(instance.spec, instance.status.volumeStatus);
  // What is wrong with them is told when the guest is to start.
  for (const storage::WantedDisk& disk : disks.value_or(std::vector<storage::WantedDisk>())) {
    if (!disk.container) continue;
    const auto why = containerDisks_.whyNotYet(pod, instance.metadata.uid, disk);
    // A Secret that is not there, or not one for a registry, may still come.
    if (!why && (why.error().code == Code::Invalid || why.error().code == Code::NotFound))
      return fmt::format("volume {}: {}", disk.volume, why.error().message);
    if (!why || !why->empty()) return why;
  }
  return "";
}

Result<> Reconciler::perform(const kinds::Pod& pod, const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::PrepareVolumes: {
      if (!scene.instance) return {};
      // What is found here later is of this arrival.
      TRY(site_.hypervisor.forgetArrival(kinds::domainName(instanceOf(pod))));
      const auto prepared = prepareDisks(site_, containerDisks_, pod, *scene.instance);
      if (prepared) return reportPod(site_, pod, {kinds::pod_phase::kRunning, "Prepared", ""});
      if (prepared.error().code != Code::Invalid) return fail(prepared.error());
      return reportPod(site_, pod, {kinds::pod_phase::kFailed, words::kPreparationFailed, prepared.error().message});
    }
    case Duty::StartGuest:
      return startGuest(pod, *scene.instance);
    case Duty::PauseGuest:
      return site_.hypervisor.pause(kinds::domainName(instanceOf(pod)));
    case Duty::ResumeGuest:
      return site_.hypervisor.resume(kinds::domainName(instanceOf(pod)));
    case Duty::ShutDownGuest:
      return site_.hypervisor.shutdown(kinds::domainName(instanceOf(pod)));
    case Duty::DestroyGuest:
      return site_.hypervisor.destroy(kinds::domainName(instanceOf(pod)));
    case Duty::Release:
      return release(pod, scene);
  }
  __builtin_unreachable();
}

Result<> Reconciler::release(const kinds::Pod& pod, const Scene& scene) const {
  if (!scene.observed.domainHere) (void)site_.hypervisor.forgetArrival(kinds::domainName(instanceOf(pod)));
  TRY(containerDisks_.giveUp(pod));
  // In a move in place the guest stays, and another pod has it.
  const std::string instance = object::valueOf(pod.metadata.labels, words::kCreatedBy);
  const auto pods = site_.pods.list();
  const bool stays = std::any_of(pods.begin(), pods.end(), [&](const auto& other) {
    return other->metadata.uid != pod.metadata.uid &&
           object::valueOf(other->metadata.labels, words::kCreatedBy) == instance;
  });
  if (!scene.observed.domainHere && !stays) TRY(containerDisks_.remove(instance));
  return releasePod(site_, pod);
}

// A guest is resumed only by whoever has it on the pod that it may be the one who paused it. So that is there before
// the guest is paused, and goes when it has been seen to run.
Result<kinds::Pod> Reconciler::notePause(const kinds::Pod& pod, const Observed& observed, Duty duty) const {
  const bool about = duty == Duty::PauseGuest || (duty == Duty::StartGuest && observed.toBePaused);
  const bool owned = observed.phase == Observed::PodPhase::Running && observed.active && !observed.moving;
  auto after = pod;
  if (about || (owned && observed.standsStill && observed.mayHaveBeenPaused))
    kinds::setCondition(after.status.conditions,
                        {.type = std::string(kPaused),
                         .status = about ? "False" : "True",
                         .reason = about ? "Pausing" : "PausedByUser",
                         .message = "",
                         .lastTransitionTime = {}},
                        site_.clock.now());
  else if (owned && observed.domainHere && !observed.standsStill && !observed.toBePaused)
    kinds::dropCondition(after.status.conditions, kPaused);
  if (after == pod) return pod;
  return site_.client.changeStatus(pod, after);
}

Result<> Reconciler::startGuest(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance) const {
  const std::string name = kinds::domainName(instance.metadata.key());
  const auto disks = prepareDisks(site_, containerDisks_, pod, instance);
  if (!disks && disks.error().code != Code::Invalid) return fail(disks.error());
  if (!disks) return reportPod(site_, pod, {kinds::pod_phase::kFailed, "LaunchFailed", disks.error().message});
  const auto& cpu = instance.spec.domain.cpu;
  const Timestamp before = site_.clock.now();
  const auto started = site_.hypervisor.start({.name = name,
                                               .uuid = instance.metadata.uid,
                                               .owner = instance.metadata.uid,
                                               .memoryBytes = instance.spec.memoryBytes(),
                                               .vcpus = cpu ? static_cast<int>(cpu->cores) : 1,
                                               .disks = *disks,
                                               .consoleFile = consoleFile(site_.consoleDirectory, name),
                                               .paused = instance.toBePaused()});
  if (!started && started.error().code != Code::AlreadyExists) {
    if (worthRetrying(started.error().code)) return started;
    const std::string message = fmt::format("on volume {}: {}", volumeNames(site_, pod), started.error().message);
    return reportPod(site_, pod, {kinds::pod_phase::kFailed, "LaunchFailed", message});
  }
  if (started)
    log::info("the hypervisor took {} ms to start {}",
              std::chrono::duration_cast<std::chrono::milliseconds>(site_.clock.now() - before).count(), name);
  return reportPod(site_, pod, {kinds::pod_phase::kRunning, "GuestStarted", ""});
}

}  // namespace godwit::node::launcher
