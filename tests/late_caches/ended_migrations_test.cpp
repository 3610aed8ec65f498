#include "controllers/migration/reconciler.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;

class EndedMigrations : public LateCaches<Reconciler> {
 protected:
  void makeEnded(const std::string& name, const std::string& instance, kinds::MigrationPhase phase) {
    kinds::VirtualMachineInstanceMigration migration;
    migration.metadata.nameSpace = "default";
    migration.metadata.name = name;
    migration.spec.vmiName = instance;
    const auto made = client.create(migration).value();
    auto ended = made;
    ended.status.phase = phase;
    ended.status.godwit.reason = "Completed";
    ASSERT_TRUE(client.changeStatus(made, ended));
    clock.advance(1min);
  }

  bool exists(const std::string& name) {
    return client.get(schema::kind<kinds::VirtualMachineInstanceMigration>, {"default", name}).has_value();
  }
};

TEST_F(EndedMigrations, AreKeptUpToFiveOfEachGuestTheLatestOnes) {
  makeEnded("z-first", "web", kinds::MigrationPhase::Succeeded);
  makeEnded("y-second", "web", kinds::MigrationPhase::Failed);
  makeEnded("other", "db", kinds::MigrationPhase::Succeeded);
  for (const char* name : {"a", "b", "c", "d", "e"}) makeEnded(name, "web", kinds::MigrationPhase::Succeeded);
  learnEverything();
  act();
  EXPECT_FALSE(exists("z-first"));
  EXPECT_FALSE(exists("y-second"));
  EXPECT_EQ(count<kinds::VirtualMachineInstanceMigration>(), 6u);
}

TEST_F(EndedMigrations, SayOfWhatAndWhatToDoAboutIt) {
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.nameSpace = "default";
  migration.metadata.name = "move";
  migration.spec.vmiName = "nobody";
  ASSERT_TRUE(client.create(migration));
  for (int i = 0; i < 2; ++i) {
    learnEverything();
    act();
  }
  const auto ended = client.get<kinds::VirtualMachineInstanceMigration>({"default", "move"}).value();
  EXPECT_EQ(ended.status.godwit.failure,
            (kinds::MigrationFailure{"Pending", "Permanent", "InstanceNotFound", "VMI default/nobody does not exist",
                                     "name a VMI of the migration's namespace"}));
}

TEST_F(EndedMigrations, DoNotCountThoseThatHaveNotEnded) {
  for (const char* name : {"a", "b", "c", "d", "e"}) makeEnded(name, "web", kinds::MigrationPhase::Succeeded);
  makeEnded("waiting", "web", kinds::MigrationPhase::Pending);
  learnEverything();
  act();
  EXPECT_EQ(count<kinds::VirtualMachineInstanceMigration>(), 6u);
}

}  // namespace
}  // namespace godwit::controllers::migration
