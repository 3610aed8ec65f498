#include "metrics/board.hpp"

#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "base/random.hpp"
#include "client/client.hpp"
#include "kinds/registry.hpp"
#include "metrics/exposition.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::metrics {
namespace {

using namespace std::chrono_literals;
using kinds::MigrationPhase;
using kinds::VirtualMachineInstanceMigration;

class MetricsBoard : public testing::Test {
 protected:
  Samples scrape() {
    for (client::Reflector* reflector : board.reflectors()) EXPECT_TRUE(reflector->pump());
    return read(board.text());
  }

  void startMoving(const std::string& name) {
    VirtualMachineInstanceMigration migration;
    migration.metadata.name = name;
    migration.metadata.nameSpace = "default";
    migration.spec.vmiName = "guest";
    ASSERT_TRUE(api.create(migration));
  }

  template <class Change>
  void change(const std::string& name, const Change& how) {
    const auto before = api.get<VirtualMachineInstanceMigration>({"default", name}).value();
    auto after = before;
    how(after.status);
    ASSERT_TRUE(api.changeStatus(before, after));
  }

  void enter(const std::string& name, MigrationPhase phase) {
    change(name, [&](kinds::MigrationStatus& status) {
      status.phase = phase;
      status.phaseTransitionTimestamps.push_back({std::string(schema::nameOf(phase)), clock.now()});
    });
  }

  void copy(const std::string& name) {
    enter(name, MigrationPhase::Running);
    change(name, [](kinds::MigrationStatus& status) {
      status.migrationState.emplace().sourceNode = "node-1";
      auto& progress = status.godwit.progress.emplace();
      progress.disks = {{"vda", 300, 1000}};
      progress.disksDone = 300, progress.disksTotal = 1000;
      progress.memoryDone = 20, progress.memoryTotal = 50;
      progress.bytesPerSecond = 7, progress.dirtyBytesPerSecond = 3;
    });
  }

  ManualClock clock;
  SeededRandom random{1};
  store::MemoryStore store;
  apiserver::ApiServer server{
      store, kinds::all(), clock, random, {.tokens = {{"secret", "admin", {"system:masters"}}}}};
  client::InProcessTransport transport{server, "secret"};
  const client::Client api{transport};
  Board board{api, clock.now()};
};

TEST_F(MetricsBoard, CountsMigrationsByPhaseAsKubeVirtDoes) {
  for (const char* name : {"unset", "pending", "scheduling", "scheduled", "ready"}) startMoving(name);
  enter("pending", MigrationPhase::Pending);
  enter("scheduling", MigrationPhase::Scheduling);
  enter("scheduled", MigrationPhase::Scheduled);
  enter("ready", MigrationPhase::TargetReady);
  const Samples samples = scrape();
  EXPECT_EQ(samples.at("kubevirt_vmi_migrations_in_unset_phase"), 1);
  EXPECT_EQ(samples.at("kubevirt_vmi_migrations_in_pending_phase"), 1);
  EXPECT_EQ(samples.at("kubevirt_vmi_migrations_in_scheduling_phase"), 1);
  EXPECT_EQ(samples.at("kubevirt_vmi_migrations_in_running_phase"), 2);
  EXPECT_FALSE(samples.contains(R"(kubevirt_vmi_migration_failed{vmi="guest",vmim="unset",namespace="default"})"));
}

TEST_F(MetricsBoard, ShowsHowFarAMigrationIsDiskByDisk) {
  startMoving("away");
  copy("away");
  const Samples samples = scrape();
  const std::string guest = R"({namespace="default",name="guest",node="node-1"})";
  EXPECT_EQ(samples.at("kubevirt_vmi_migration_data_bytes_total" + guest), 1050);
  EXPECT_EQ(samples.at("kubevirt_vmi_migration_data_processed_bytes" + guest), 320);
  EXPECT_EQ(samples.at("kubevirt_vmi_migration_data_remaining_bytes" + guest), 730);
  EXPECT_EQ(samples.at("kubevirt_vmi_migration_dirty_memory_rate_bytes" + guest), 3);
  EXPECT_EQ(samples.at("kubevirt_vmi_migration_memory_transfer_rate_bytes" + guest), 7);
  const std::string disk = R"({namespace="default",vmi="guest",vmim="away",disk="vda"})";
  EXPECT_EQ(samples.at("godwit_migration_disk_bytes_total" + disk), 1000);
  EXPECT_EQ(samples.at("godwit_migration_disk_processed_bytes" + disk), 300);
}

TEST_F(MetricsBoard, CountsAnEndAndAnOutageOnce) {
  startMoving("away");
  copy("away");
  scrape();
  clock.advance(3s);
  change("away", [](kinds::MigrationStatus& status) { status.godwit.progress->downtimeMs = 30; });
  enter("away", MigrationPhase::Succeeded);
  scrape();
  const Samples samples = scrape();
  EXPECT_EQ(samples.at(R"(kubevirt_vmi_migration_succeeded{vmi="guest",vmim="away",namespace="default"})"), 1);
  EXPECT_EQ(samples.at("kubevirt_vmi_migrations_in_running_phase"), 0);
  EXPECT_EQ(samples.at(R"(godwit_migrations_ended_total{phase="Succeeded",class=""})"), 1);
  EXPECT_EQ(samples.at("godwit_migration_outage_seconds_count"), 1);
  EXPECT_EQ(samples.at("godwit_migration_outage_seconds_sum"), 0.03);
  EXPECT_EQ(samples.at(R"(godwit_migration_outage_seconds_bucket{le="0.025"})"), 0);
  EXPECT_EQ(samples.at(R"(godwit_migration_outage_seconds_bucket{le="0.05"})"), 1);
  const std::string reached = "kubevirt_vmi_migration_phase_transition_time_from_creation_seconds_sum";
  EXPECT_EQ(samples.at(reached + R"({phase="Succeeded"})"), 3);
  EXPECT_FALSE(samples.contains(
      R"(kubevirt_vmi_migration_data_processed_bytes{namespace="default",name="guest",node="node-1"})"))
      << "it moves no more";
}

TEST_F(MetricsBoard, DoesNotCountWhatHadEndedBeforeItBegan) {
  startMoving("away");
  enter("away", MigrationPhase::Failed);
  const Samples samples = scrape();
  EXPECT_EQ(samples.at(R"(kubevirt_vmi_migration_failed{vmi="guest",vmim="away",namespace="default"})"), 1);
  EXPECT_FALSE(samples.contains(R"(godwit_migrations_ended_total{phase="Failed",class=""})"));
}

TEST_F(MetricsBoard, CountsThoseThatWaitForTheirTurn) {
  startMoving("away");
  change("away", [](kinds::MigrationStatus& status) { status.godwit.queue = kinds::QueuePlace{.position = 1}; });
  EXPECT_EQ(scrape().at("godwit_migration_queue_length"), 1);
}

TEST_F(MetricsBoard, ForgetsAMigrationThatIsGone) {
  startMoving("away");
  enter("away", MigrationPhase::Failed);
  scrape();
  ASSERT_TRUE(api.remove(schema::kind<VirtualMachineInstanceMigration>, {"default", "away"}));
  EXPECT_FALSE(scrape().contains(R"(kubevirt_vmi_migration_failed{vmi="guest",vmim="away",namespace="default"})"));
}

TEST_F(MetricsBoard, CountsInstancesByNodeAndPhase) {
  kinds::VirtualMachineInstance instance;
  instance.metadata.name = "guest";
  instance.metadata.nameSpace = "default";
  const auto made = api.create(instance).value();
  EXPECT_EQ(scrape().at(R"(kubevirt_vmi_phase_count{node="",phase=""})"), 1);
  auto running = made;
  running.status.phase = kinds::InstancePhase::Running;
  running.status.nodeName = "node-1";
  ASSERT_TRUE(api.changeStatus(made, running));
  const Samples samples = scrape();
  EXPECT_EQ(samples.at(R"(kubevirt_vmi_phase_count{node="node-1",phase="Running"})"), 1);
  EXPECT_FALSE(samples.contains(R"(kubevirt_vmi_phase_count{node="",phase=""})"));
}

TEST_F(MetricsBoard, CountsMachinesByNamespace) {
  kinds::VirtualMachine machine;
  machine.metadata.nameSpace = "default";
  machine.spec.running = false;
  for (const char* name : {"one", "another"}) {
    machine.metadata.name = name;
    ASSERT_TRUE(api.create(machine));
  }
  EXPECT_EQ(scrape().at(R"(kubevirt_number_of_vms{namespace="default"})"), 2);
}

TEST_F(MetricsBoard, TellsOfItsProcess) {
  const Samples samples = scrape();
  EXPECT_GT(samples.at("process_resident_memory_bytes"), 1 << 20);
  EXPECT_GT(samples.at("process_open_fds"), 2);
  EXPECT_EQ(samples.at("process_start_time_seconds"), 1'800'000'000);
}

}  // namespace
}  // namespace godwit::metrics
