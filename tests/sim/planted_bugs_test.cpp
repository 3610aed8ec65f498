#include <gtest/gtest.h>

#include "base/log.hpp"
#include "controllers/migration/reconciler.hpp"
#include "kinds/words.hpp"
#include "sim/story.hpp"
#include "sim/sweep.hpp"

// A simulation that finds nothing proves something only if it would find what there is.
namespace godwit::sim {
namespace {

constexpr unsigned kSeeds = 2'000;

void expectFound(const char* bug, const Plants& planted) {
  (void)log::setLevel("error");
  const auto found = firstWrong(kSeeds, [&](unsigned seed) {
    Simulation world(seed, planted);
    return wrongWith(world);
  });
  ASSERT_FALSE(found.empty()) << bug << " is not found";
  const auto& [seed, what] = *found.begin();
  fmt::print("{} is found at seed {}: {}\n", bug, seed, what);
  testing::Test::RecordProperty("found at seed", static_cast<int>(seed));
}

template <class Buggy>
std::unique_ptr<control::Reconciler> make(controllers::World& world) {
  return std::make_unique<Buggy>(world);
}

// A migration controller that acts first and writes afterwards what it did.
class ActsBeforeItRecords final : public controllers::migration::Reconciler {
 public:
  using Reconciler::Reconciler;

  Result<control::Again> reconcile(const object::Key& key) override {
    auto scene = TRY(look(key));
    if (!scene) return control::Again{};
    TRY(describe(*scene));
    const auto step = controllers::migration::decide(scene->observed);
    TRY(perform(*scene, controllers::migration::dutyOf(step.phase, scene->observed)));
    TRY(note(*scene, step));
    TRY(record(*scene));
    return control::Again{};
  }
};

TEST(PlantedBugs, AControllerThatActsBeforeItRecordsIsFound) {
  expectFound("acting before recording", {.controllers = {.migrations = make<ActsBeforeItRecords>}});
}

// A migration controller that takes a move that has begun for one that has succeeded.
class DeletesTheSourceEarly final : public controllers::migration::Reconciler {
 public:
  using Reconciler::Reconciler;

  Result<control::Again> reconcile(const object::Key& key) override {
    auto scene = TRY(look(key));
    if (scene && scene->mover && scene->status.phase == kinds::MigrationPhase::Running)
      TRY(perform(*scene, controllers::migration::Duty::CleanUp));
    return Reconciler::reconcile(key);
  }
};

TEST(PlantedBugs, AControllerThatDeletesTheSourceBeforeSuccessIsOnRecordIsFound) {
  expectFound("deleting the source early", {.controllers = {.migrations = make<DeletesTheSourceEarly>}});
}

// A claim controller that lets go of a claim whoever uses it.
class LetsClaimsGoAtOnce final : public controllers::claim::Reconciler {
 public:
  explicit LetsClaimsGoAtOnce(controllers::World& world) : Reconciler(world), world_(world) {}

  Result<control::Again> reconcile(const object::Key& key) override {
    const auto claim = world_.claims.get(key);
    if (claim && claim->metadata.beingDeleted()) TRY(world_.client.letGo(*claim, kinds::words::kClaimProtection));
    return Reconciler::reconcile(key);
  }

 private:
  controllers::World& world_;
};

TEST(PlantedBugs, AClaimThatGoesUnderItsGuestIsFound) {
  expectFound("letting claims go at once", {.controllers = {.claims = make<LetsClaimsGoAtOnce>}});
}

// A target that a mover takes for empty when it does not answer.
class NeverAsked final : public GuardedHypervisor {
 public:
  explicit NeverAsked(std::unique_ptr<Hypervisor> target)
      : GuardedHypervisor(std::move(target), [] { return Result<>(); }) {}

  Result<hypervisor::RunState> runStateOf(const std::string& domain) override {
    auto told = GuardedHypervisor::runStateOf(domain);
    const bool deaf = !told && (told.error().code == Code::Timeout || told.error().code == Code::Unavailable);
    return deaf ? fail(Code::NotFound, "nobody says otherwise") : std::move(told);
  }
};

TEST(PlantedBugs, AMoverThatResumesTheSourceWithoutAskingTheTargetIsFound) {
  expectFound("resuming without asking",
              {.moversTarget = [](auto target) { return std::make_unique<NeverAsked>(std::move(target)); }});
}

}  // namespace
}  // namespace godwit::sim
