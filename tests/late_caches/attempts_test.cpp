#include "controllers/evacuation/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::evacuation {
namespace {

using namespace std::chrono_literals;

class AttemptsToLeave : public LateCaches<Reconciler> {
 protected:
  void SetUp() override {
    kinds::VirtualMachineInstance guest;
    guest.metadata.nameSpace = "default";
    guest.metadata.name = "web";
    guest.status.phase = kinds::InstancePhase::Running;
    guest.status.nodeName = guest.status.evacuationNodeName = "node-1";
    guest.status.conditions = {{"LiveMigratable", "True", "", "", {}}};
    ASSERT_TRUE(client.create(guest));
    settle();
  }

  void settle() {
    for (int i = 0; i < 2; ++i) {
      learnEverything();
      act();
    }
  }

  auto attempts() {
    std::vector<kinds::VirtualMachineInstanceMigration> all;
    const auto listed = client.list(schema::kind<kinds::VirtualMachineInstanceMigration>).value();
    for (const auto& document : listed.items)
      all.push_back(schema::view<kinds::VirtualMachineInstanceMigration>(document));
    return all;
  }

  void failTheLast() {
    const auto last = attempts().back();
    auto failed = last;
    failed.status.phase = kinds::MigrationPhase::Failed;
    failed.status.phaseTransitionTimestamps = {{"Failed", clock.now()}};
    ASSERT_TRUE(client.changeStatus(last, failed));
    settle();
  }
};

TEST_F(AttemptsToLeave, AreUrgentAndCountUp) {
  ASSERT_EQ(attempts().size(), 1u);
  EXPECT_EQ(attempts()[0].spec.priority, kinds::MigrationPriority::SystemCritical);
  EXPECT_EQ(attempts()[0].status.godwit.attempt, 1);
  failTheLast();
  ASSERT_EQ(attempts().size(), 1u);
  EXPECT_EQ(attempts()[0].status.godwit.nextAttempt, clock.now() + 20s);
  clock.advance(21s);
  settle();
  ASSERT_EQ(attempts().size(), 2u);
  EXPECT_EQ(attempts()[1].status.godwit.attempt, 2);
  failTheLast();
  EXPECT_EQ(attempts()[1].status.godwit.nextAttempt, clock.now() + 40s);
}

TEST_F(AttemptsToLeave, TellOncePerFailureThatTheyAreOffForAWhile) {
  failTheLast();
  settle();
  int told = 0;
  const auto events = client.list(schema::kind<kinds::Event>).value();
  for (const auto& document : events.items)
    if (schema::view<kinds::Event>(document).reason == "MigrationBackoff") ++told;
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace godwit::controllers::evacuation
