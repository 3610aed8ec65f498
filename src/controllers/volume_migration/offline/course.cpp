#include "controllers/volume_migration/offline/course.hpp"

#include <algorithm>

#include "controllers/claim_names.hpp"
#include "controllers/volume_migration/destinations.hpp"
#include "controllers/volume_migration/offline/judge.hpp"
#include "controllers/volume_migration/record.hpp"
#include "kinds/claim_use.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::volume_migration::offline {
namespace {

using namespace std::chrono_literals;

bool isUnderWay(Phase phase) { return phase == Phase::Scheduling || phase == Phase::Running; }

// Whether the step makes a new attempt.
bool beginsAnew(const Observed& observed, const Step& step) {
  return step.phase == Phase::Scheduling && (observed.phase != Phase::Scheduling || step.reason == kTryingAgain);
}

kinds::MigrationFailure failureOf(const Observed& observed, const Step& step, const std::string& message) {
  const bool cancelled = observed.beingDeleted;
  return {.stage = std::string(schema::nameOf(observed.phase)),
          .failureClass = cancelled ? "Cancelled" : "Permanent",
          .reason = std::string(step.reason),
          .message = message,
          .hint = cancelled ? "" : "remedy what the message says, and ask again with a new VolumeMigration"};
}

}  // namespace

Result<control::Again> Course::goOn(const kinds::VolumeMigration& wish) const {
  const Scene scene = TRY(observe(wish));
  const Step step = decide(scene.observed);
  TRY(record(scene, step));
  TRY(perform(scene, dutyOf(step, scene.observed)));
  const Observed::Copies& copies = scene.observed.copies;
  if (!copies.failed || !isUnderWay(step.phase)) return control::Again{};
  return control::Again{.after = std::max<Duration>(waitAfter(scene.observed) - copies.failedFor, 0s)};
}

Result<Course::Scene> Course::observe(const kinds::VolumeMigration& wish) const {
  Scene scene{.wish = wish};
  Observed& seen = scene.observed;
  seen.phase = wish.status.phase;
  seen.reason = wish.status.godwit.reason;
  seen.beingDeleted = wish.metadata.beingDeleted();
  seen.attempt = wish.status.godwit.attempt;
  if (isUnderWay(seen.phase)) {
    scene.copies = TRY(copiesOf(world_, wish));
    seen.copies = summarise(scene.copies, world_.clock.now());
    if (seen.copies.done || seen.reason == kUpdatingMachine) TRY(observeMachines(scene));
  } else if (!kinds::isFinal(seen.phase)) {
    std::vector<Resting> volumes;
    for (const kinds::MigratedVolume& volume : volumesOf(wish))
      volumes.push_back(TRY(restingFor(world_, wish, volume)));
    scene.verdict = judge(volumes);
    seen.rejected = scene.verdict.anyRejected();
    seen.allValid = scene.verdict.allValid();
  }
  return scene;
}

// Asked of the server, and then of the cache, too: whoever comes after this goes by the cache.
Result<> Course::observeMachines(Scene& scene) const {
  const std::string& nameSpace = scene.wish.metadata.nameSpace;
  const auto claims = claimsOf(scene.wish);
  const auto listed = TRY(world_.client.list(schema::kind<kinds::VirtualMachine>,
                                             {.nameSpace = nameSpace, .labelSelector = "", .fieldSelector = ""}));
  for (const object::Document& document : listed.items) {
    const auto machine = schema::view<kinds::VirtualMachine>(document);
    if (usesSources(machine.spec.instance.spec.allVolumes(), claims))
      scene.machines.push_back(document);
    else
      TRY(observeLeaving(scene, machine));
  }
  const bool cacheKnows = std::all_of(claims.begin(), claims.end(), [&](const kinds::MigratedClaim& claim) {
    return world_.machines.by(index::kByClaim, object::show({nameSpace, claim.sourceClaim})).empty();
  });
  scene.observed.machineFollowed = scene.machines.empty() && scene.left.empty() && cacheKnows;
  return {};
}

Result<> Course::observeLeaving(Scene& scene, const kinds::VirtualMachine& machine) const {
  const auto names = claimsUsedBy(machine);
  const std::string& nameSpace = machine.metadata.nameSpace;
  for (const auto& [from, to] : claimsOf(scene.wish)) {
    if (std::find(names.begin(), names.end(), object::show({nameSpace, to})) == names.end()) continue;
    auto claim = TRY(findSurely(world_, world_.claims, {nameSpace, from}));
    std::string mark = kinds::leavingMark(machine.metadata);
    if (claim && object::valueOf(claim->metadata.annotations, kinds::words::kLeftBy) != mark)
      scene.left.push_back({std::move(claim), std::move(mark)});
  }
  return {};
}

Result<> Course::record(const Scene& scene, const Step& step) const {
  const Observed& seen = scene.observed;
  kinds::VolumeMigrationStatus status = scene.wish.status;
  status.godwit.mechanism = schema::nameOf(kinds::Mechanism::Offline);
  if (!scene.verdict.states.empty()) {
    status.volumeMigrationStates = scene.verdict.states;
    status.godwit.message = scene.verdict.complaint();
  }
  if (isUnderWay(seen.phase)) {
    status.godwit.message = seen.copies.done ? "" : troubleOf(scene.copies);
    if (seen.copies.made) status.godwit.progress = progressOf(scene.copies);
    status.godwit.nextAttempt.reset();
    if (seen.copies.failed && isUnderWay(step.phase))
      status.godwit.nextAttempt = world_.clock.now() - seen.copies.failedFor + waitAfter(seen);
  }
  if (!scene.machines.empty())
    status.godwit.machinePatch =
        migration::patchOf(TRY(migration::followingOf(world_, scene.machines.front(), claimsOf(scene.wish))));
  if (beginsAnew(seen, step)) ++status.godwit.attempt;
  if (step.phase == Phase::Failed && isUnderWay(seen.phase))
    status.godwit.failure = failureOf(seen, step, status.godwit.message);
  return putOnRecord(world_, scene.wish, std::move(status), step);
}

Result<> Course::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::MakeCopies:
      return makeCopies(world_, scene.wish);
    case Duty::RemoveCopies:
      TRY(removeCopies(world_, scene.wish));
      return {};
    case Duty::UpdateMachine:
      return updateMachine(scene);
    case Duty::Conclude:
      TRY(removeCopies(world_, scene.wish));
      TRY(reclaimSources(world_, scene.wish));
      return release(world_, scene.wish);
    case Duty::ClearAway:
      return clearAway(scene);
  }
  __builtin_unreachable();
}

// The mark comes after the VM knows, and before any guest may start again: an instance that was made from what the VM
// said before never does.
Result<> Course::updateMachine(const Scene& scene) const {
  for (const object::Document& machine : scene.machines) {
    const auto claims = claimsOf(scene.wish);
    if (!TRY(migration::hasNoted(world_, schema::view<kinds::VirtualMachine>(machine), claims))) continue;
    TRY(migration::follow(world_, TRY(migration::followingOf(world_, machine, claims))));
  }
  for (const auto& [claim, mark] : scene.left) {
    auto after = *claim;
    after.metadata.annotations[std::string(kinds::words::kLeftBy)] = mark;
    TRY(world_.client.change(*claim, after));
  }
  return {};
}

// A claim that was made for the wish goes when no importer can write to it any more.
Result<> Course::clearAway(const Scene& scene) const {
  if (!TRY(removeCopies(world_, scene.wish))) return {};
  TRY(removeDestinations(world_, scene.wish));
  return release(world_, scene.wish);
}

}  // namespace godwit::controllers::volume_migration::offline
