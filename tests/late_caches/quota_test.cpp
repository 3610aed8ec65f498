#include "controllers/migration/reconciler.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;

constexpr const char* kRefusal =
    R"({"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"pods \"virt-launcher-guest\" is )"
    R"(forbidden: exceeded quota: compute, requested: pods=1, used: pods=4, limited: pods=4"})";

// A Kubernetes whose quota admits no more pods, for as long as it is told so.
class OverQuota final : public http::Transport {
 public:
  explicit OverQuota(http::Transport& behind) : behind_(behind) {}

  Result<http::Response> send(const http::Request& request) override {
    if (!full || request.method != "POST" || !request.target.ends_with("/pods")) return behind_.send(request);
    http::Response refused;
    refused.status = 403;
    refused.body = kRefusal;
    return refused;
  }

  bool full = true;

 private:
  http::Transport& behind_;
};

class MigrationOverQuota : public LateCaches<Reconciler> {
 protected:
  void SetUp() override {
    for (const char* name : {"node-1", "node-2"}) {
      kinds::Node node;
      node.metadata.name = name;
      ASSERT_TRUE(client.create(node));
    }
    kinds::VirtualMachineInstance instance;
    instance.metadata.nameSpace = "default";
    instance.metadata.name = "guest";
    instance.status.phase = kinds::InstancePhase::Running;
    instance.status.nodeName = "node-1";
    ASSERT_TRUE(client.create(instance));
    kinds::VirtualMachineInstanceMigration migration;
    migration.metadata.nameSpace = "default";
    migration.metadata.name = "away";
    migration.spec.vmiName = "guest";
    ASSERT_TRUE(client.create(migration));
  }

  // Until there is nothing left to do at this instant.
  void settle() {
    for (bool acted = true; acted; clock.advance(10ms)) {
      acted = false;
      for (client::Reflector* cache : seen.caches()) ASSERT_TRUE(cache->pump());
      while (controlling.controller.passOnce()) acted = true;
    }
  }

  auto status() { return client.get<kinds::VirtualMachineInstanceMigration>({"default", "away"}).value().status; }

  OverQuota line{transport};
  const client::Client limited{line};
  World seen{limited, clock, random};
  control::Unit<Reconciler, World> controlling{"controller", seen};
};

TEST_F(MigrationOverQuota, SaysSoAndFailsInTheEnd) {
  settle();
  EXPECT_EQ(status().phase, kinds::MigrationPhase::Scheduling);
  EXPECT_EQ(status().godwit.reason, "QuotaExceeded");
  EXPECT_NE(status().godwit.message.find("exceeded quota: compute"), std::string::npos);
  clock.advance(301s);
  settle();
  EXPECT_EQ(status().phase, kinds::MigrationPhase::Failed);
  EXPECT_EQ(status().godwit.failure->failureClass, "Quota");
}

TEST_F(MigrationOverQuota, GoesOnWhenThereIsRoomAgain) {
  settle();
  line.full = false;
  clock.advance(11s);
  settle();
  EXPECT_EQ(count<kinds::Pod>(), 1u);
  EXPECT_EQ(status().godwit.reason, "WaitingForNode");
  EXPECT_TRUE(status().conditions.empty());
}

}  // namespace
}  // namespace godwit::controllers::migration
