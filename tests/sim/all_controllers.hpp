#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "control/unit.hpp"
#include "controllers/claim/reconciler.hpp"
#include "controllers/data_volume/reconciler.hpp"
#include "controllers/evacuation/reconciler.hpp"
#include "controllers/garbage/reconciler.hpp"
#include "controllers/migration/reconciler.hpp"
#include "controllers/node_lifecycle/reconciler.hpp"
#include "controllers/pod/reconciler.hpp"
#include "controllers/virtual_machine/reconciler.hpp"
#include "controllers/virtual_machine_instance/reconciler.hpp"
#include "controllers/volume/reconciler.hpp"
#include "controllers/volume_migration/reconciler.hpp"
#include "controllers/volume_update/reconciler.hpp"
#include "scheduler/reconciler.hpp"

namespace godwit::sim {

// What makes another controller in the place of the usual one; empty for that.
struct OtherControllers {
  using Make = std::function<std::unique_ptr<control::Reconciler>(controllers::World&)>;
  Make migrations = {};
  Make claims = {};
};

// All controllers and the scheduler, as the program has them, for whoever drives them by hand.
class AllControllers {
 public:
  AllControllers(const client::Client& api, const Clock& clock, Random& random, const OtherControllers& others = {})
      : world_(api, clock, random),
        view_(api, clock, random),
        migrations_("migration", world_, make<controllers::migration::Reconciler>(others.migrations)),
        claims_("claim", world_, make<controllers::claim::Reconciler>(others.claims)) {}

  std::vector<client::Reflector*> caches() {
    auto all = world_.caches();
    for (client::Reflector* cache : view_.caches()) all.push_back(cache);
    return all;
  }

  std::vector<control::Controller*> controllers() {
    return {&machines_.controller,         &instances_.controller,     &migrations_.controller,
            &volumeMigrations_.controller, &volumeUpdates_.controller, &evacuations_.controller,
            &claims_.controller,           &dataVolumes_.controller,   &volumes_.controller,
            &garbage_.controller,          &pods_.controller,          &lifecycle_.controller,
            &scheduling_.controller,       &events_.controller,        &schedulersEvents_.controller};
  }

 private:
  template <class Kind>
  using Unit = control::Unit<Kind, controllers::World>;
  using NodeLifecycle = controllers::node_lifecycle::Reconciler;

  static constexpr Duration kNodeGrace = std::chrono::seconds(40);

  template <class Usual>
  std::unique_ptr<control::Reconciler> make(const OtherControllers::Make& other) {
    return other ? other(world_) : std::make_unique<Usual>(world_);
  }

  controllers::World world_;
  scheduler::View view_;
  Unit<controllers::virtual_machine::Reconciler> machines_{"virtual-machine", world_};
  Unit<controllers::virtual_machine_instance::Reconciler> instances_{"instance", world_};
  Unit<controllers::migration::Reconciler> migrations_;
  Unit<controllers::volume_migration::Reconciler> volumeMigrations_{"volume-migration", world_};
  Unit<controllers::volume_update::Reconciler> volumeUpdates_{"volume-update", world_};
  Unit<controllers::evacuation::Reconciler> evacuations_{"evacuation", world_};
  Unit<controllers::claim::Reconciler> claims_;
  Unit<controllers::data_volume::Reconciler> dataVolumes_{"data-volume", world_};
  Unit<controllers::volume::Reconciler> volumes_{"volume", world_};
  Unit<controllers::garbage::Reconciler> garbage_{"garbage", world_};
  Unit<controllers::pod::Reconciler> pods_{"pod", world_};
  Unit<NodeLifecycle> lifecycle_{"node-lifecycle", world_, std::make_unique<NodeLifecycle>(world_, kNodeGrace)};
  control::Unit<scheduler::Reconciler, scheduler::View> scheduling_{"scheduler", view_};
  Unit<control::EventWriter> events_{"events", world_};
  control::Unit<control::EventWriter, scheduler::View> schedulersEvents_{"scheduler-events", view_};
};

}  // namespace godwit::sim
