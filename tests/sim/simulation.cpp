#include "sim/simulation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/binding.hpp"
#include "base/time_format.hpp"
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "sim/processes.hpp"
#include "subresources/eviction.hpp"

namespace godwit::sim {
namespace {

constexpr unsigned kStrikeOneIn = 80;
constexpr unsigned kHealOneIn = 40;
// A request may outlive the patience of whoever sent it, but not for long.
constexpr unsigned kLateOneIn = 2;

}  // namespace

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

Simulation::Simulation(unsigned seed, Plants plants)
    : random_(seed),
      peoplesLine_(exchange_, random_, "people", kToken),
      people_(std::make_unique<client::Client>(peoplesLine_)),
      plants_(std::move(plants)) {
  restartServer();
  for (const std::string& name : hosts_) registerNode(name);
  kinds::StorageClass local;
  local.metadata.name = "local";
  local.provisioner = kinds::words::kDirectoryProvisioner;
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
  if (!exchange_.late.empty() && random_.chance(kLateOneIn)) exchange_.deliverLate(random_);
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
}

void Simulation::complain(std::string what) {
  if (violation_.empty()) violation_ = fmt::format("{}, at step {}", what, steps_);
}

void Simulation::recount(std::function<void(const std::string&)> reader) {
  exchange_.chronicle.readBy([this, reader = std::move(reader)](const std::string& line) {
    reader(fmt::format("{:6} {} {}", steps_, toRfc3339Micro(clock_.now()), line));
  });
}

}  // namespace godwit::sim
