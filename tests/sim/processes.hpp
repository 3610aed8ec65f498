#pragma once

#include "node/moving/papers_reconciler.hpp"
#include "node/pod_reconciler.hpp"
#include "node/registration.hpp"
#include "node/volume_reconciler.hpp"
#include "sim/all_controllers.hpp"
#include "sim/simulation.hpp"

// The processes of the simulation, each wired as its own program wires it.
namespace godwit::sim {

inline constexpr const char* kToken = "token";
inline constexpr const char* kMachine = "vm";
inline constexpr const char* kDomain = "default_vm";

inline constexpr Duration kRenewEvery = std::chrono::seconds(10);

node::NodeProfile profileOf(const std::string& name);

class Simulation::ControlPlane final : public Process {
 public:
  explicit ControlPlane(Simulation& sim)
      : Process(sim.exchange_, sim.random_, "controllers", kToken),
        all_(api, sim.clock_, sim.random_, sim.plants_.controllers) {
    for (client::Reflector* cache : all_.caches()) add(*cache);
    for (control::Controller* controller : all_.controllers()) add(*controller);
  }

 private:
  AllControllers all_;
};

// What a node is without its agent.
struct Simulation::Node {
  Node(Simulation& sim, std::string called)
      : name(std::move(called)),
        images(sim.fabric_, sim.images_, name),
        movers(sim.fabric_, sim.clock_, sim.exchange_.chronicle, sim.plants_.moversTarget) {}

  const std::string name;
  SimulatedImages images;
  MoverRoom movers;
  std::unique_ptr<Agent> agent;
  bool daemonUp = true;
  bool daemonStalls = false;
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
        volumes_("volumes", site_),
        papers_("papers", site_) {
    for (client::Reflector* cache : site_.caches()) add(*cache);
    add(pods_.controller);
    add(volumes_.controller);
    add(papers_.controller);
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
  control::Unit<node::moving::PapersReconciler, node::Site> papers_;
};

}  // namespace godwit::sim
