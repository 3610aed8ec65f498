#include "kinds/claim_use.hpp"
#include "late_caches/wishes.hpp"

namespace godwit::controllers::volume_migration {
namespace {

using namespace std::chrono_literals;
using Claim = kinds::PersistentVolumeClaim;
using Machine = kinds::VirtualMachine;
using Wish = kinds::VolumeMigration;
using Phase = kinds::VolumeMigrationPhase;

// A VM that is off, its disk on claim "old", and the wish that this be on "new".
class OfflineWish : public Wishes {
 protected:
  OfflineWish() {
    makeBoundClaim("old");
    makeBoundClaim("new");
    makeMachine("vm", "old");
  }

  void makeBoundClaim(const std::string& name) {
    const Claim made = makeClaim(name, "1Gi", "pv-" + name);
    Claim bound = made;
    bound.status.phase = "Bound";
    ASSERT_TRUE(client.changeStatus(made, bound));
  }

  void makeMachine(const std::string& name, const std::string& claim) {
    Machine machine;
    machine.metadata = named(name);
    machine.spec.runStrategy = "Halted";
    machine.spec.instance.spec.domain.devices.disks = {{.name = "root",
                                                        .disk = kinds::DiskDevice{"virtio"},
                                                        .lun = {},
                                                        .serial = "",
                                                        .bootOrder = 0,
                                                        .shareable = false}};
    machine.spec.instance.spec.volumes = {{"root", kinds::ClaimReference{claim}, std::nullopt}};
    ASSERT_TRUE(client.create(machine));
  }

  void wishFor(kinds::MigratedVolume volume) { Wishes::wishFor(std::move(volume), "wish", kinds::Mechanism::Offline); }
  void settle() {
    for (int pass = 0; pass < 8; ++pass) {
      learnEverything();
      act();
    }
  }

  Wish wish() { return client.get<Wish>({"default", "wish"}).value(); }
  std::string claimOfMachine() {
    return client.get<Machine>({"default", "vm"})->spec.instance.spec.volumes.at(0).claim();
  }
  std::vector<kinds::Pod> copies() {
    std::vector<kinds::Pod> pods;
    const auto listed = client.list(schema::kind<kinds::Pod>).value();
    for (const auto& document : listed.items) pods.push_back(schema::view<kinds::Pod>(document));
    return pods;
  }

  // As the node does it.
  void endCopy(std::string_view phase, const std::string& reason) {
    const kinds::Pod pod = copies().at(0);
    auto ended = pod;
    ended.status.phase = phase;
    ended.status.reason = reason;
    kinds::setCondition(ended.status.conditions,
                        {.type = "Ready", .status = "False", .reason = "", .message = "", .lastTransitionTime = {}},
                        clock.now());
    ASSERT_TRUE(client.changeStatus(pod, ended));
  }
  void letGoOfCopies() {
    for (const kinds::Pod& pod : copies()) {
      if (!pod.metadata.beingDeleted()) continue;
      ASSERT_TRUE(client.letGo(pod, kinds::words::kNodeFinalizer));
    }
  }
};

TEST_F(OfflineWish, CopiesTheVolumeAndThenTellsTheMachine) {
  wishFor({"old", "new"});
  settle();
  EXPECT_EQ(wish().status.phase, Phase::Scheduling);
  ASSERT_EQ(copies().size(), 1u);
  EXPECT_EQ(kinds::claimNamesOf(copies()[0]), (std::vector<std::string>{"new", "old"}));
  EXPECT_EQ(claimOfMachine(), "old");
  endCopy(kinds::pod_phase::kSucceeded, "Completed");
  settle();
  EXPECT_EQ(wish().status.phase, Phase::Succeeded);
  EXPECT_EQ(claimOfMachine(), "new");
  EXPECT_TRUE(wish().metadata.finalizers.empty());
}

TEST_F(OfflineWish, LetsNoInstanceStartWhereTheDiskWas) {
  wishFor({"old", "new"});
  settle();
  kinds::VirtualMachineInstance made;
  made.metadata = named("vm");
  made.metadata.ownerReferences.resize(1);
  made.metadata.ownerReferences[0].uid = client.get<Machine>({"default", "vm"})->metadata.uid;
  made.metadata.annotations[std::string(kinds::words::kVmGeneration)] =
      std::to_string(client.get<Machine>({"default", "vm"})->metadata.generation);
  endCopy(kinds::pod_phase::kSucceeded, "Completed");
  settle();
  ASSERT_EQ(wish().status.phase, Phase::Succeeded);
  EXPECT_TRUE(kinds::isLeftBehind(made, client.get<Claim>({"default", "old"}).value()));
}

TEST_F(OfflineWish, WaitsForAGuestAndForNothingElse) {
  makeInstance("vm", "old");
  wishFor({"old", "new"});
  settle();
  EXPECT_EQ(wish().status.phase, Phase::Pending);
  EXPECT_EQ(wish().status.volumeMigrationStates.at(0).reason,
            "VMI vm uses the volume; it is copied when that has stopped");
  ASSERT_TRUE(client.remove(schema::kind<kinds::VirtualMachineInstance>, {"default", "vm"}));
  settle();
  EXPECT_EQ(wish().status.phase, Phase::Scheduling);
}

TEST_F(OfflineWish, MovesAClaimThatNobodyNames) {
  ASSERT_TRUE(client.remove(schema::kind<Machine>, {"default", "vm"}));
  wishFor({"old", "new"});
  settle();
  endCopy(kinds::pod_phase::kSucceeded, "Completed");
  settle();
  EXPECT_EQ(wish().status.phase, Phase::Succeeded);
}

TEST_F(OfflineWish, RefusesAVolumeOfSeveralMachines) {
  makeMachine("other", "old");
  wishFor({"old", "new"});
  settle();
  EXPECT_EQ(wish().status.phase, Phase::Failed);
  EXPECT_EQ(wish().status.volumeMigrationStates.at(0).reason, "Volumes need to belong to the same VM");
}

TEST_F(OfflineWish, BeginsAnewWhenAGuestWasThereFirst) {
  wishFor({"old", "new"});
  settle();
  makeInstance("vm", "old");
  endCopy(kinds::pod_phase::kFailed, "SourceInUse");
  settle();
  EXPECT_EQ(wish().status.phase, Phase::Pending);
  letGoOfCopies();
  EXPECT_TRUE(copies().empty());
  ASSERT_TRUE(client.remove(schema::kind<kinds::VirtualMachineInstance>, {"default", "vm"}));
  settle();
  EXPECT_EQ(copies().size(), 1u);
  EXPECT_EQ(wish().status.godwit.attempt, 2);
}

TEST_F(OfflineWish, TriesAgainOnlyWhenNobodyWritesAnyMore) {
  wishFor({"old", "new"});
  settle();
  const std::string first = copies()[0].metadata.name;
  endCopy(kinds::pod_phase::kFailed, "TransferFailed");
  settle();
  EXPECT_TRUE(wish().status.godwit.nextAttempt);
  clock.advance(21s);
  unit.controller.enqueue({"default", "wish"});
  settle();
  EXPECT_EQ(copies().size(), 1u) << "the first one has not gone yet";
  EXPECT_TRUE(copies()[0].metadata.beingDeleted());
  letGoOfCopies();
  settle();
  ASSERT_EQ(copies().size(), 1u);
  EXPECT_NE(copies()[0].metadata.name, first);
}

TEST_F(OfflineWish, TakesTheClaimThatWasMadeForItAlongWhenItIsCancelled) {
  wishFor({"old", "", kinds::SourceReclaimPolicy::Delete, "fast"});
  settle();
  ASSERT_EQ(count<Claim>(), 3u);
  ASSERT_TRUE(client.remove(schema::kind<Wish>, {"default", "wish"}));
  settle();
  EXPECT_EQ(count<Claim>(), 3u) << "its importer may still write";
  letGoOfCopies();
  settle();
  EXPECT_EQ(count<Claim>(), 2u);
  EXPECT_EQ(count<Wish>(), 0u);
  EXPECT_EQ(claimOfMachine(), "old");
}

TEST_F(OfflineWish, LosesItsSourceOnlyInAPassThatFindsSuccessOnRecord) {
  wishFor({"old", "new", kinds::SourceReclaimPolicy::Delete});
  settle();
  endCopy(kinds::pod_phase::kSucceeded, "Completed");
  for (int pass = 0; pass < 20 && wish().status.phase != Phase::Succeeded; ++pass) {
    ASSERT_TRUE(client.find<Claim>({"default", "old"}).value());
    learnEverything();
    (void)unit.controller.passOnce();
  }
  ASSERT_EQ(wish().status.phase, Phase::Succeeded);
  EXPECT_TRUE(client.find<Claim>({"default", "old"}).value()) << "the pass that records does not delete";
  World anew{client, clock, random};
  control::Unit<Reconciler, World> next{"controller", anew};
  for (client::Reflector* cache : anew.caches()) ASSERT_TRUE(cache->pump());
  while (next.controller.passOnce()) {
  }
  EXPECT_FALSE(client.find<Claim>({"default", "old"}).value());
}

}  // namespace
}  // namespace godwit::controllers::volume_migration
