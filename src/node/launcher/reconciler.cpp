#include "node/launcher/reconciler.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "kinds/calling_off.hpp"
#include "kinds/expansion.hpp"
#include "kinds/words.hpp"
#include "node/disk_of_volume.hpp"
#include "node/filled.hpp"
#include "node/pod_status.hpp"
#include "storage/credentials.hpp"
#include "storage/disks.hpp"

namespace godwit::node::launcher {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

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

Observed::PodPhase phaseOf(const kinds::Pod& pod) {
  if (pod.ended()) return Observed::PodPhase::Ended;
  return pod.status.phase == kinds::pod_phase::kRunning ? Observed::PodPhase::Running : Observed::PodPhase::Pending;
}

std::string claimFor(const kinds::Pod& pod, const std::string& volume) {
  for (const kinds::PodVolume& candidate : pod.spec.volumes)
    if (candidate.name == volume && candidate.persistentVolumeClaim) return candidate.persistentVolumeClaim->claimName;
  return "";
}

// Where the disk's bytes come from when this pod's claim is a destination; else the claim itself.
std::string sourceClaim(const kinds::VirtualMachineInstance& instance, const std::string& volume,
                        const std::string& claim) {
  for (const auto& moved : instance.status.migratedVolumes)
    if (moved.volumeName == volume && moved.destinationPVCInfo.claimName == claim) return moved.sourcePVCInfo.claimName;
  return claim;
}

}  // namespace

Result<control::Again> Reconciler::reconcile(const kinds::Pod& pod) {
  const Scene scene = TRY(observe(pod));
  const Step step = decide(scene.observed);
  if (!step.phase.empty()) TRY(reportPod(site_, pod, {step.phase, step.reason, scene.waitsFor}));
  TRY(perform(pod, scene, step.duty));
  // The hypervisor tells of every change; but what it was about to tell is lost when its daemon dies.
  const bool waits = !scene.observed.domainKnown || !scene.observed.volumesReady || step.duty == Duty::DestroyGuest;
  return control::Again{.after = waits ? kAskAgain : kLookAgain};
}

// The hypervisor first, the server afterwards: what the server says then is true of a guest
// that was seen here, or seen not to be here, before.
Result<Reconciler::Scene> Reconciler::observe(const kinds::Pod& pod) const {
  Scene scene{.instance = {}, .waitsFor = {}, .observed = {}};
  Observed& seen = scene.observed;
  seen.phase = phaseOf(pod);
  seen.beingDeleted = pod.metadata.beingDeleted();
  seen.isTarget = !object::valueOf(pod.metadata.labels, words::kMigrationJobUid).empty();
  const auto domain = site_.hypervisor.describe(kinds::domainName(instanceOf(pod)));
  seen.domainKnown = domain || domain.error().code == Code::NotFound;
  seen.domainHere = domain && domain->owner == object::valueOf(pod.metadata.labels, words::kCreatedBy);
  seen.domainRuns = seen.domainHere && domain->state == hypervisor::RunState::Running;

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
  if (seen.phase == Observed::PodPhase::Pending && !seen.domainHere) scene.waitsFor = TRY(whyNotYet(pod));
  seen.volumesReady = scene.waitsFor.empty();
  scene.instance = std::move(*instance);
  return scene;
}

Result<std::string> Reconciler::whyNotYet(const kinds::Pod& pod) const {
  for (const kinds::PodVolume& volume : pod.spec.volumes) {
    if (!volume.persistentVolumeClaim) continue;
    const object::Key claim{pod.metadata.nameSpace, volume.persistentVolumeClaim->claimName};
    if (std::string why = TRY(node::whyNotYet(site_.client, claim)); !why.empty()) return why;
  }
  return "";
}

Result<> Reconciler::perform(const kinds::Pod& pod, const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::PrepareVolumes: {
      if (!scene.instance) return {};
      const auto prepared = prepareDisks(pod, *scene.instance);
      if (prepared) return reportPod(site_, pod, {kinds::pod_phase::kRunning, "Prepared", ""});
      if (prepared.error().code != Code::Invalid) return fail(prepared.error());
      return reportPod(site_, pod, {kinds::pod_phase::kFailed, "PreparationFailed", prepared.error().message});
    }
    case Duty::StartGuest:
      return startGuest(pod, *scene.instance);
    case Duty::DestroyGuest:
      return site_.hypervisor.destroy(kinds::domainName(instanceOf(pod)));
    case Duty::Release:
      return releasePod(site_, pod);
  }
  __builtin_unreachable();
}

Result<std::vector<hypervisor::Disk>> Reconciler::prepareDisks(const kinds::Pod& pod,
                                                               const kinds::VirtualMachineInstance& instance) const {
  std::vector<hypervisor::Disk> disks;
  const std::string& nameSpace = pod.metadata.nameSpace;
  for (const storage::WantedDisk& wanted : TRY(storage::wantedDisks(instance.spec))) {
    const std::string claim = claimFor(pod, wanted.volume);
    if (claim.empty()) return fail(Code::Invalid, fmt::format("the pod has no claim for volume {}", wanted.volume));
    const auto volume = TRY(volumeOf(site_.client, {nameSpace, claim}));
    const auto [source, password] = TRY(diskOf(site_.client, volume));
    const std::string from = sourceClaim(instance, wanted.volume, claim);
    if (from != claim)
      TRY(prepareDestination(volume, TRY(volumeOf(site_.client, {nameSpace, from}))));
    else
      TRY(prepareOwn(volume, instance));
    if (const auto& login = source.remote.login)
      TRY(site_.hypervisor.keepSecret(source.remote.protocol, login->secret, password));
    disks.push_back({wanted.target, wanted.bus, wanted.serial, source});
  }
  return disks;
}

Result<> Reconciler::prepareOwn(const kinds::PersistentVolume& volume,
                                const kinds::VirtualMachineInstance& instance) const {
  TRY(site_.images.ensure(volume, kinds::sizeOf(volume)));
  // Not under a guest that moves here, and has the volume open elsewhere.
  if (!kinds::isGrowing(volume) || instance.moving()) return {};
  return site_.images.grow(volume, kinds::storageBytes(volume.spec.capacity));
}

// An image that is made for a guest to move to has its source's size until the guest is there, as mirrors want equal
// ends; then it grows.
Result<> Reconciler::prepareDestination(const kinds::PersistentVolume& volume,
                                        const kinds::PersistentVolume& source) const {
  const std::int64_t bytes = kinds::sizeOf(source);
  const bool isFile = TRY(storage::locate(volume)).type == hypervisor::DiskSource::Type::File;
  if ((isFile || kinds::isOurs(volume)) && bytes < kinds::storageBytes(volume.spec.capacity))
    TRY(site_.client.change(volume, kinds::withSize(volume, bytes)));
  return site_.images.ensure(volume, bytes);
}

// The hypervisor, when it cannot reach a disk, does not know whose it is.
std::string Reconciler::volumesOf(const kinds::Pod& pod) const {
  std::vector<std::string> names;
  for (const kinds::PodVolume& mounted : pod.spec.volumes) {
    if (!mounted.persistentVolumeClaim) continue;
    const auto volume = volumeOf(site_.client, {pod.metadata.nameSpace, mounted.persistentVolumeClaim->claimName});
    if (!volume) continue;
    const auto secret = storage::secretOf(*volume);
    const std::string by = secret && *secret ? fmt::format(" (Secret {})", object::show(**secret)) : "";
    names.push_back(volume->metadata.name + by);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<> Reconciler::startGuest(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance) const {
  const std::string name = kinds::domainName(instance.metadata.key());
  const auto disks = prepareDisks(pod, instance);
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
                                               .consoleFile = consoleFile(site_.consoleDirectory, name)});
  if (!started && started.error().code != Code::AlreadyExists) {
    if (worthRetrying(started.error().code)) return started;
    const std::string message = fmt::format("on volume {}: {}", volumesOf(pod), started.error().message);
    return reportPod(site_, pod, {kinds::pod_phase::kFailed, "LaunchFailed", message});
  }
  if (started)
    log::info("the hypervisor took {} ms to start {}",
              std::chrono::duration_cast<std::chrono::milliseconds>(site_.clock.now() - before).count(), name);
  return reportPod(site_, pod, {kinds::pod_phase::kRunning, "GuestStarted", ""});
}

}  // namespace godwit::node::launcher
