#include <gtest/gtest.h>

#include "base/log.hpp"
#include "controllers/migration/reconciler.hpp"
#include "sim/story.hpp"
#include "sim/sweep.hpp"

// A simulation that finds nothing proves something only if it would find what there is.
namespace godwit::sim {
namespace {

constexpr unsigned kSeeds = 2'000;

void expectFound(const char* bug, const MakeMigrationReconciler& planted) {
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

// A migration controller that acts first and writes afterwards what it did.
class ActsBeforeItRecords final : public controllers::migration::Reconciler {
 public:
  using Reconciler::Reconciler;

  Result<control::Again> reconcile(const object::Key& key) override {
    const auto scene = TRY(observe(key));
    if (!scene) return control::Again{};
    const auto step = controllers::migration::decide(scene->observed);
    TRY(perform(*scene, controllers::migration::dutyOf(step.phase, scene->observed)));
    TRY(record(*scene, step));
    return control::Again{};
  }
};

TEST(PlantedBugs, AControllerThatActsBeforeItRecordsIsFound) {
  expectFound("acting before recording",
              [](controllers::World& w) { return std::make_unique<ActsBeforeItRecords>(w); });
}

}  // namespace
}  // namespace godwit::sim
