#pragma once

#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "client/client.hpp"
#include "control/unit.hpp"
#include "controllers/world.hpp"
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::controllers {

// One controller before an API server, with caches that learn only when they are told to.
template <class Reconciler>
class LateCaches : public testing::Test {
 protected:
  void learnEverything() {
    for (client::Reflector* cache : world.caches()) ASSERT_TRUE(cache->pump());
  }

  void act() {
    while (unit.controller.passOnce()) {
    }
  }

  template <class Kind>
  std::size_t count() {
    return client.list(schema::kind<Kind>).value().items.size();
  }

  // What has been deleted goes, as when whoever carries migrations out has ended them.
  void endMigrations() {
    using Migration = kinds::VirtualMachineInstanceMigration;
    const auto listed = client.list(schema::kind<Migration>).value();
    for (const auto& document : listed.items) {
      const auto migration = client.get<Migration>(object::keyOf(document)).value();
      if (migration.metadata.beingDeleted()) (void)client.letGo(migration, kinds::words::kMigrationFinalizer);
    }
  }

  ManualClock clock;
  SeededRandom random{1};
  store::MemoryStore store;
  apiserver::ApiServer server{store,
                              kinds::all(),
                              clock,
                              random,
                              {.tokens = {{.token = "secret", .user = "admin", .groups = {"system:masters"}}}}};
  client::InProcessTransport transport{server, "secret"};
  const client::Client client{transport};
  World world{client, clock, random};
  control::Unit<Reconciler, World> unit{"controller", world};
};

}  // namespace godwit::controllers
