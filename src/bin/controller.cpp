#include "base/log.hpp"
#include "base/stop_signals.hpp"
#include "bin/commands.hpp"
#include "client/kubeconfig.hpp"
#include "control/recorder.hpp"
#include "control/unit.hpp"
#include "control/workers.hpp"
#include "controllers/claim/reconciler.hpp"
#include "controllers/data_volume/reconciler.hpp"
#include "controllers/early_migration/reconciler.hpp"
#include "controllers/evacuation/reconciler.hpp"
#include "controllers/garbage/reconciler.hpp"
#include "controllers/migration/reconciler.hpp"
#include "controllers/node_lifecycle/reconciler.hpp"
#include "controllers/pod/reconciler.hpp"
#include "controllers/target_volume/reconciler.hpp"
#include "controllers/virtual_machine/reconciler.hpp"
#include "controllers/virtual_machine_instance/reconciler.hpp"
#include "controllers/volume/reconciler.hpp"
#include "controllers/volume_migration/reconciler.hpp"
#include "controllers/volume_update/reconciler.hpp"
#include "http/client.hpp"
#include "scheduler/reconciler.hpp"

namespace godwit::bin {
namespace {

constexpr int kThreadsPerController = 4;

Result<> control(const ControllerOptions& options, std::stop_token stop) {
  const SystemClock clock;
  SystemRandom random;
  const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(options.kubeconfig))));
  const client::Client api(*transport);

  controllers::World world(api, clock, random);
  control::Unit<controllers::virtual_machine::Reconciler, controllers::World> machines("virtual-machine", world);
  control::Unit<controllers::virtual_machine_instance::Reconciler, controllers::World> instances("instance", world);
  control::Unit<controllers::migration::Reconciler, controllers::World> migrations("migration", world);
  control::Unit<controllers::early_migration::Reconciler, controllers::World> earlyMigrations("early-migration", world);
  control::Unit<controllers::volume_migration::Reconciler, controllers::World> volumeMigrations("volume-migration",
                                                                                                world);
  control::Unit<controllers::volume_update::Reconciler, controllers::World> volumeUpdates("volume-update", world);
  control::Unit<controllers::target_volume::Reconciler, controllers::World> targetVolumes("target-volume", world);
  control::Unit<controllers::evacuation::Reconciler, controllers::World> evacuations("evacuation", world);
  control::Unit<controllers::claim::Reconciler, controllers::World> claims("claim", world);
  control::Unit<controllers::data_volume::Reconciler, controllers::World> dataVolumes("data-volume", world);
  control::Unit<controllers::volume::Reconciler, controllers::World> volumes("volume", world);
  control::Unit<controllers::garbage::Reconciler, controllers::World> garbage("garbage", world);
  control::Unit<controllers::pod::Reconciler, controllers::World> pods("pod", world);
  using NodeLifecycle = controllers::node_lifecycle::Reconciler;
  control::Unit<NodeLifecycle, controllers::World> nodes(
      "node-lifecycle", world, std::make_unique<NodeLifecycle>(world, std::chrono::seconds(options.nodeGrace)));
  scheduler::View view(api, clock, random);
  control::Unit<scheduler::Reconciler, scheduler::View> scheduling("scheduler", view);
  control::Unit<control::EventWriter, controllers::World> events("events", world);
  control::Unit<control::EventWriter, scheduler::View> schedulersEvents("scheduler-events", view);

  auto caches = world.caches();
  for (client::Reflector* cache : view.caches()) caches.push_back(cache);
  log::info("controlling");
  control::runWorkers(
      caches,
      {&machines.controller, &instances.controller, &migrations.controller, &earlyMigrations.controller,
       &volumeMigrations.controller, &volumeUpdates.controller, &targetVolumes.controller, &evacuations.controller,
       &claims.controller, &dataVolumes.controller, &volumes.controller, &garbage.controller, &pods.controller,
       &nodes.controller, &scheduling.controller, &events.controller, &schedulersEvents.controller},
      kThreadsPerController, stop);
  return {};
}

}  // namespace

int runControllerCommand(const ControllerOptions& options) {
  const StopSignals signals;
  return exitCode(control(options, signals.token()));
}

}  // namespace godwit::bin
