#include "sim/simulation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/binding.hpp"
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
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "node/pod_reconciler.hpp"
#include "node/registration.hpp"
#include "node/volume_reconciler.hpp"
#include "scheduler/reconciler.hpp"
#include "subresources/eviction.hpp"

namespace godwit::sim {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

constexpr const char* kToken = "token";
constexpr const char* kMachine = "vm";
constexpr const char* kDomain = "default_vm";
constexpr std::int64_t kDiskBytes = 1 << 20;
constexpr unsigned kStrikeOneIn = 80;
constexpr unsigned kHealOneIn = 40;
constexpr unsigned kLoseOneIn = 40;
constexpr unsigned kLongestAgony = 8;  // requests that a process that is about to die still makes
// A move stands still for a moment; this many steps without a running guest are more than a moment.
constexpr int kLongestWithoutGuest = 20'000;

constexpr Duration kNodeGrace = 40s;
constexpr Duration kRenewEvery = 10s;

using NodeLifecycle = controllers::node_lifecycle::Reconciler;

node::NodeProfile profileOf(const std::string& name) {
  return {.name = name,
          .hypervisorUri = SimulatedFabric::uriOf(name),
          .consoleDirectory = "/consoles",
          .socketDirectory = "/sockets",
          .volumeDirectory = "/" + name,
          .addresses = {"127.0.0.1"},
          .port = 0,
          .servingCertificate = "",
          .memoryBytes = 8LL << 30,
          .cpus = 8};
}

}  // namespace

class Simulation::ControlPlane final : public Process {
 public:
  explicit ControlPlane(Simulation& sim)
      : Process(sim.exchange_, sim.random_, kToken),
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
      : Process(sim.exchange_, sim.random_, kToken),
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

Simulation::Simulation(unsigned seed, MakeMigrationReconciler makeMigrations)
    : random_(seed),
      peoplesLine_(exchange_, random_, kToken),
      people_(std::make_unique<client::Client>(peoplesLine_)),
      makeMigrations_(std::move(makeMigrations)) {
  restartServer();
  for (const std::string& name : hosts_) registerNode(name);
  kinds::StorageClass local;
  local.metadata.name = "local";
  local.provisioner = words::kDirectoryProvisioner;
  local.volumeBindingMode = "WaitForFirstConsumer";
  local.allowVolumeExpansion = true;
  auto shared = local;
  shared.metadata.name = "shared";
  shared.volumeBindingMode = "Immediate";
  shared.parameters["sharedDirectory"] = kSharedDirectory;
  (void)people_->create(local);
  (void)people_->create(shared);
  control_ = std::make_unique<ControlPlane>(*this);
  for (auto& node : nodes_) node->agent = std::make_unique<Agent>(*this, *node);
}

Simulation::~Simulation() = default;

void Simulation::restartServer() {
  server_ = std::make_unique<apiserver::ApiServer>(
      store_, kinds::all(), clock_, random_, apiserver::Options{.tokens = {{kToken, "admin", {"system:masters"}}}});
  server_->add(apiserver::bindingEndpoint(server_->objects(), server_->catalog().at(schema::kind<kinds::Pod>), clock_));
  server_->add(subresources::evictionEndpoint(server_->objects(), server_->catalog()));
  exchange_.server = server_.get();
}

void Simulation::registerNode(const std::string& name) {
  fabric_.addHost(name);
  nodes_.push_back(std::make_unique<Node>(*this, name));
  (void)node::Registration(*people_, clock_, profileOf(name)).renew();
}

void Simulation::createMachine(const std::string& name, const std::string& claim) {
  kinds::VirtualMachine machine;
  machine.metadata.name = name;
  machine.metadata.nameSpace = "default";
  machine.spec.running = true;
  auto& spec = machine.spec.instance.spec;
  spec.domain.resources.requests = {{"memory", "16Mi"}};
  spec.domain.devices.disks = {{.name = "root",
                                .disk = kinds::DiskDevice{"virtio"},
                                .lun = {},
                                .serial = "",
                                .bootOrder = 0,
                                .shareable = false}};
  spec.volumes = {{"root", kinds::ClaimReference{claim}, std::nullopt}};
  (void)people_->create(machine);
}

void Simulation::migrate(const std::string& name) {
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.name = name;
  migration.metadata.nameSpace = "default";
  migration.spec.vmiName = kMachine;
  (void)people_->create(migration);
}

void Simulation::moveVolume(const std::string& name, const std::string& from, const std::string& to,
                            kinds::Mechanism mechanism) {
  kinds::VolumeMigration wish;
  wish.metadata.name = name;
  wish.metadata.nameSpace = "default";
  wish.spec.migratedVolume = {{from, to, kinds::SourceReclaimPolicy::Retain}};
  wish.spec.mechanism = mechanism;
  (void)people_->create(wish);
}

void Simulation::deleteMachine() {
  leaving_ = true;
  guestBegun_ = false;
  (void)people_->remove(schema::kind<kinds::VirtualMachine>, {"default", kMachine});
}

bool Simulation::nothingIsLeft() const {
  const auto pods = people_->list(schema::kind<kinds::Pod>,
                                  {.nameSpace = "", .labelSelector = "kubevirt.io=virt-launcher", .fieldSelector = ""});
  return pods && pods->items.empty() && !get<kinds::VirtualMachineInstance>(kMachine) &&
         fabric_.runningCopies(kDomain) == 0;
}

std::string Simulation::describe() {
  std::string text;
  for (const schema::Kind& kind : {schema::kind<kinds::VirtualMachine>, schema::kind<kinds::VirtualMachineInstance>,
                                   schema::kind<kinds::VirtualMachineInstanceMigration>,
                                   schema::kind<kinds::VolumeMigration>, schema::kind<kinds::Pod>})
    if (const auto listed = people_->list(kind))
      for (const auto& document : listed->items) text += fmt::format("{} {}\n", kind.name, json::serialize(document));
  text += fmt::format("{} running copies\n", fabric_.runningCopies(kDomain));
  for (const auto& node : nodes_) {
    const auto domains = (*fabric_.connect(SimulatedFabric::uriOf(node->name)))->list();
    text += fmt::format("{} domains on {}\n", domains ? std::to_string(domains->size()) : domains.error().message,
                        node->name);
  }
  for (const auto& node : nodes_)
    for (const auto& [uid, files] : node->movers.moves)
      text += fmt::format("{} move {}: {}, {}\n", node->name, uid, files.process ? "alive" : "dead",
                          files.journal.last() ? schema::nameOf(files.journal.last()->stage) : "no entry");
  return text;
}

bool Simulation::machineRuns() const {
  const auto machine = get<kinds::VirtualMachine>(kMachine);
  return machine && machine->status.printableStatus == "Running" && fabric_.runningCopies(kDomain) == 1;
}

void Simulation::setFaults(bool on) {
  faults_ = on;
  if (!on)
    while (!exchange_.server || !control_ || std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
      return !node->agent || !node->daemonUp || !node->powered;
    }))
      heal();
  if (control_) control_->line().loseOneIn(on ? kLoseOneIn : 0);
  for (auto& node : nodes_)
    if (node->agent) node->agent->line().loseOneIn(on ? kLoseOneIn : 0);
}

bool Simulation::runUntil(const std::function<bool()>& done, int steps) {
  for (int i = 0; i < steps && violation_.empty(); ++i) {
    if (i % 16 == 0 && done()) return true;
    step();
  }
  return violation_.empty() && done();
}

void Simulation::step() {
  ++steps_;
  if (faults_ && random_.chance(kStrikeOneIn)) strike();
  if (random_.chance(kHealOneIn)) heal();
  act();
  check();
}

void Simulation::act() {
  Node& node = *nodes_[random_.below(nodes_.size())];
  bool acted = true;
  switch (random_.below(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      acted = control_ && control_->run(random_);
      if (control_ && control_->line().dead()) control_.reset();
      break;
    case 4:
    case 5:
    case 6:
      if (node.agent) node.agent->renewWhenDue();
      acted = node.agent && node.agent->run(random_);
      if (node.agent && node.agent->line().dead()) node.agent.reset();
      break;
    case 7:
      for (auto& other : nodes_) other->movers.step(random_.next());
      break;
    case 8:
      fabric_.step(random_);
      break;
    default:
      acted = false;
      break;
  }
  if (!acted) clock_.advance(std::chrono::milliseconds(1 + random_.below(100)));
  note(acted);
}

void Simulation::strike() {
  Node& node = *nodes_[random_.below(nodes_.size())];
  const auto kind = random_.below(9);
  note(kind);
  switch (kind) {
    case 0:
      if (control_) control_->line().dieAfter(1 + static_cast<unsigned>(random_.below(kLongestAgony)));
      break;
    case 1:
      if (node.agent) node.agent->line().dieAfter(1 + static_cast<unsigned>(random_.below(kLongestAgony)));
      break;
    case 2:
      node.movers.crash(random_.next());
      break;
    case 3:
      fabric_.killDaemon(node.name);
      node.daemonUp = false;
      break;
    case 4:
      exchange_.server = nullptr;
      if (control_) control_->line().breakStreams();
      for (auto& other : nodes_)
        if (other->agent) other->agent->line().breakStreams();
      server_.reset();
      break;
    case 5:
      if (control_) control_->line().breakStreams();
      break;
    case 6:
      for (auto& other : nodes_) other->movers.crash(random_.next());
      break;
    case 7:
      // Rarely: a machine whose guest dies again and again is started ever later.
      if (random_.chance(3)) cutPower(node);
      break;
    default:
      cancelSomething();
      break;
  }
}

void Simulation::cancelSomething() {
  if (!exchange_.server) return;
  const auto migrations = people_->list(schema::kind<kinds::VirtualMachineInstanceMigration>);
  if (!migrations) return;
  for (const auto& document : migrations->items) {
    const auto migration = schema::view<kinds::VirtualMachineInstanceMigration>(document);
    if (!kinds::isFinal(migration.status.phase)) (void)people_->remove(migration);
  }
}

// One thing that is down comes back.
void Simulation::heal() {
  if (!exchange_.server) return restartServer();
  if (!control_) {
    control_ = std::make_unique<ControlPlane>(*this);
    control_->line().loseOneIn(faults_ ? kLoseOneIn : 0);
    return;
  }
  for (auto& node : nodes_) {
    if (!node->powered) return wake(*node);
    if (!node->daemonUp) {
      fabric_.startDaemon(node->name);
      node->daemonUp = true;
      return;
    }
    if (!node->agent) {
      node->agent = std::make_unique<Agent>(*this, *node);
      node->agent->line().loseOneIn(faults_ ? kLoseOneIn : 0);
      return;
    }
  }
}

void Simulation::cutPower(Node& node) {
  fabric_.cutPower(node.name);
  node.agent.reset();
  node.movers.losePower();
  node.powered = false;
  node.daemonUp = true;
}

// Somebody finds a node dead, and says so, or turns it on at once, as the dice say.
void Simulation::wake(Node& node) {
  if (random_.chance(2)) return sayDead(node.name);
  if (!takeBack(node.name)) return;
  fabric_.restorePower(node.name);
  node.powered = true;
}

void Simulation::check() {
  const int copies = fabric_.runningCopies(kDomain);
  if (copies > 1) return complain(fmt::format("{} copies of the guest run", copies));
  if (copies == 1 && !leaving_) guestBegun_ = true;
  withoutGuest_ = copies == 0 && guestBegun_ ? withoutGuest_ + 1 : 0;
  if (withoutGuest_ > kLongestWithoutGuest) return complain("the guest does not run any more");
  const std::uint64_t record = fabric_.newestRecord(kDomain).value_or(newestRecord_);
  if (record < newestRecord_) return complain(fmt::format("the guest has forgotten record {}", newestRecord_));
  newestRecord_ = record;
  if (!fabric_.violations().empty()) return complain(fabric_.violations().front());
  if (steps_ % 16 == 0) checkVerdicts();
  if (std::exchange(checkedRevision_, store_.revision()) == store_.revision()) return;
  checkRecords();
  checkLimits();
}

// A migration that says it has failed must have nobody at work who could still move the guest, and one
// that says it has succeeded must have moved it.
void Simulation::checkVerdicts() {
  if (!exchange_.server) return;
  const auto migrations = people_->list(schema::kind<kinds::VirtualMachineInstanceMigration>);
  if (!migrations) return;
  for (const auto& document : migrations->items) {
    const auto migration = schema::view<kinds::VirtualMachineInstanceMigration>(document);
    if (!kinds::isFinal(migration.status.phase)) continue;
    for (const auto& node : nodes_) {
      const auto move = node->movers.moves.find(migration.metadata.uid);
      if (move == node->movers.moves.end()) continue;
      const auto last = move->second.journal.last();
      const bool moved = last && last->stage == mover::Stage::Moved;
      const bool succeeded = migration.status.phase == kinds::MigrationPhase::Succeeded;
      if (move->second.process) return complain(migration.metadata.name + " is over, but its mover works on");
      // An instance that is deleted while its guest moves leaves nothing that could be called a success.
      const bool instanceGone = moved && migration.status.godwit.reason == "InstanceLost" && leaving_;
      if (moved != succeeded && !instanceGone && !move->second.struck)
        return complain(fmt::format("{} says {} ({}: {}), but its mover says {}", migration.metadata.name,
                                    schema::nameOf(migration.status.phase), migration.status.godwit.reason,
                                    migration.status.godwit.message, last ? schema::nameOf(last->stage) : "nothing"));
    }
  }
}

// A phase is on record before its work is done: no target without Scheduling, no mover without Running.
void Simulation::checkRecords() {
  if (!exchange_.server) return;
  const auto pods = people_->list(schema::kind<kinds::Pod>);
  if (!pods) return;
  for (const auto& document : pods->items) {
    const auto pod = schema::view<kinds::Pod>(document);
    const std::string name = object::valueOf(pod.metadata.annotations, kinds::words::kMigrationJobName);
    if (name.empty()) continue;
    const auto migration = get<kinds::VirtualMachineInstanceMigration>(name);
    const std::string uid = object::valueOf(pod.metadata.labels, kinds::words::kMigrationJobUid);
    if (!migration || migration->metadata.uid != uid) continue;
    const bool moves = object::valueOf(pod.metadata.labels, kinds::words::kApp) == kinds::words::kAppMigration;
    const auto due = moves ? kinds::MigrationPhase::Running : kinds::MigrationPhase::Scheduling;
    if (migration->status.phase < due)
      complain(fmt::format("{} has its {} before that is on record", name, moves ? "mover" : "target"));
  }
}

void Simulation::complain(std::string what) {
  if (violation_.empty()) violation_ = fmt::format("{}, at step {}", what, steps_);
}

void Simulation::note(std::uint64_t what) {
  trace_ = (trace_ ^ (what + static_cast<std::uint64_t>(store_.revision()))) * 0x100000001b3ULL;
}

}  // namespace godwit::sim
