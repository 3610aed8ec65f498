#pragma once

#include "control/unit.hpp"
#include "controllers/claim/reconciler.hpp"
#include "controllers/evacuation/reconciler.hpp"
#include "controllers/garbage/reconciler.hpp"
#include "controllers/migration/reconciler.hpp"
#include "controllers/node_lifecycle/reconciler.hpp"
#include "controllers/pod/reconciler.hpp"
#include "controllers/virtual_machine/reconciler.hpp"
#include "controllers/virtual_machine_instance/reconciler.hpp"
#include "controllers/volume/reconciler.hpp"
#include "controllers/volume_migration/reconciler.hpp"
#include "node/pod_reconciler.hpp"
#include "node/registration.hpp"
#include "node/volume_reconciler.hpp"
#include "scheduler/reconciler.hpp"
#include "sim/simulation.hpp"

// The processes of the simulation, each wired as its own program wires it.
namespace godwit::sim {

inline constexpr const char* kToken = "token";
inline constexpr const char* kMachine = "vm";
inline constexpr const char* kDomain = "default_vm";

inline constexpr Duration kNodeGrace = std::chrono::seconds(40);
inline constexpr Duration kRenewEvery = std::chrono::seconds(10);

using NodeLifecycle = controllers::node_lifecycle::Reconciler;

node::NodeProfile profileOf(const std::string& name);

class Simulation::ControlPlane final : public Process {
 public:
  explicit ControlPlane(Simulation& sim)
      : Process(sim.exchange_, sim.random_, "controllers", kToken),
        world_(api, sim.clock_, sim.random_),
        view_(api, sim.clock_, sim.random_),
        machines_("virtual-machine", world_),
        instances_("instance", world_),
        migrations_("migration", world_,
                    sim.makeMigrations_ ? sim.makeMigrations_(world_)
                                        : std::make_unique<controllers::migration::Reconciler>(world_)),
        volumeMigrations_("volume-migration", world_),
        evacuations_("evacuation", world_),
        claims_("claim", world_),
        volumes_("volume", world_),
        garbage_("garbage", world_),
        pods_("pod", world_),
        lifecycle_("node-lifecycle", world_, std::make_unique<NodeLifecycle>(world_, kNodeGrace)),
        scheduling_("scheduler", view_) {
    for (client::Reflector* cache : world_.caches()) add(*cache);
    for (client::Reflector* cache : view_.caches()) add(*cache);
    add(machines_.controller);
    add(instances_.controller);
    add(migrations_.controller);
    add(volumeMigrations_.controller);
    add(evacuations_.controller);
    add(claims_.controller);
    add(volumes_.controller);
    add(garbage_.controller);
    add(pods_.controller);
    add(lifecycle_.controller);
    add(scheduling_.controller);
  }

 private:
  controllers::World world_;
  scheduler::View view_;
  control::Unit<controllers::virtual_machine::Reconciler, controllers::World> machines_;
  control::Unit<controllers::virtual_machine_instance::Reconciler, controllers::World> instances_;
  control::Unit<controllers::migration::Reconciler, controllers::World> migrations_;
  control::Unit<controllers::volume_migration::Reconciler, controllers::World> volumeMigrations_;
  control::Unit<controllers::evacuation::Reconciler, controllers::World> evacuations_;
  control::Unit<controllers::claim::Reconciler, controllers::World> claims_;
  control::Unit<controllers::volume::Reconciler, controllers::World> volumes_;
  control::Unit<controllers::garbage::Reconciler, controllers::World> garbage_;
  control::Unit<controllers::pod::Reconciler, controllers::World> pods_;
  control::Unit<NodeLifecycle, controllers::World> lifecycle_;
  control::Unit<scheduler::Reconciler, scheduler::View> scheduling_;
};

// What a node is without its agent.
struct Simulation::Node {
  Node(Simulation& sim, std::string called)
      : name(std::move(called)), images(sim.fabric_, name), movers(sim.fabric_, sim.clock_) {}

  const std::string name;
  SimulatedImages images;
  MoverRoom movers;
  std::unique_ptr<Agent> agent;
  bool daemonUp = true;
  bool powered = true;
};

class Simulation::Agent final : public Process {
 public:
  Agent(Simulation& sim, Node& node)
      : Process(sim.exchange_, sim.random_, node.name, kToken),
        hypervisor_(*sim.fabric_.connect(SimulatedFabric::uriOf(node.name))),
        movers_(node.movers),
        site_(node.name, api, sim.clock_, *hypervisor_, node.images, movers_, importers_, "/consoles"),
        registration_(api, sim.clock_, profileOf(node.name)),
        pods_("pods", site_),
        volumes_("volumes", site_) {
    for (client::Reflector* cache : site_.caches()) add(*cache);
    add(pods_.controller);
    add(volumes_.controller);
  }

  void renewWhenDue() {
    if (site_.clock.now() >= due_ && registration_.renew()) due_ = site_.clock.now() + kRenewEvery;
  }

 private:
  std::unique_ptr<hypervisor::Hypervisor> hypervisor_;
  SimulatedMovers movers_;
  NoImporters importers_;
  node::Site site_;
  node::Registration registration_;
  Timestamp due_;
  control::Unit<node::PodReconciler, node::Site> pods_;
  control::Unit<node::VolumeReconciler, node::Site> volumes_;
};

}  // namespace godwit::sim
