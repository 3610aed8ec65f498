#include <sys/resource.h>

#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "apiserver/binding.hpp"
#include "apiserver/server.hpp"
#include "apiserver/stored.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "bench/stand_ins.hpp"
#include "controllers/launcher_pod.hpp"
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "sim/all_controllers.hpp"
#include "store/memory/memory_store.hpp"

// scale_world VMS MIGRATIONS: a server, all controllers and VMS machines on a tenth as many nodes; MIGRATIONS of them
// are moved at once. Prints the processor time of all of it per migration and, before that, per VM that is started, in
// ms; and the memory per VM, in KiB.
namespace godwit::bench {
namespace {

namespace words = kinds::words;

constexpr const char* kToken = "token";
constexpr int kMachinesPerNode = 10;
constexpr int kPassesAtATime = 50;  // few enough for no watch to fall behind

double cpuMs() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

double residentKiB() {
  std::ifstream status("/proc/self/statm");
  long pages = 0;
  status >> pages >> pages;
  return static_cast<double>(pages) * 4096 / (1 << 10);
}

// What the agents of all nodes say of their pods, without any hypervisor: a target is prepared, and a move has
// succeeded, as soon as somebody asks.
class AllAgents {
 public:
  client::Cache<kinds::Pod> pods;

  AllAgents(const client::Client& api, const Clock& clock) : pods(api), api_(api), clock_(clock) {
    pods.onChange([this](const kinds::Pod*, const kinds::Pod* after) {
      if (after && !after->spec.nodeName.empty()) asked_.push_back(after->metadata.key());
    });
  }

  bool idle() const { return asked_.empty(); }
  void answer() {
    for (const object::Key& key : std::exchange(asked_, {}))
      if (const auto pod = pods.get(key)) answer(*pod);
  }

 private:
  void answer(const kinds::Pod& pod) {
    if (pod.metadata.beingDeleted()) return (void)api_.letGo(pod, words::kNodeFinalizer);
    (void)api_.changeStatus(pod, answered(pod, clock_.now()), client::Unless::Never);
  }

  const client::Client& api_;
  const Clock& clock_;
  std::vector<object::Key> asked_;
};

class ScaleWorld {
 public:
  explicit ScaleWorld(int machines) {
    server_.add(apiserver::bindingEndpoint(server_.objects(), server_.catalog().at(schema::kind<kinds::Pod>), clock_));
    for (int node = 0; node < std::max(2, machines / kMachinesPerNode); ++node) putNode(node);
    for (int machine = 0; machine < machines; ++machine) putMachine(machine);
  }

  void migrate(int machine) {
    kinds::VirtualMachineInstanceMigration migration;
    migration.metadata.name = fmt::format("move-{}", machine);
    migration.metadata.nameSpace = "default";
    migration.spec.vmiName = nameOf(machine);
    (void)api_.create(migration);
  }

  bool allSucceeded(int migrations) const {
    for (int machine = 0; machine < migrations; ++machine) {
      const auto migration =
          api_.get<kinds::VirtualMachineInstanceMigration>({"default", fmt::format("move-{}", machine)});
      if (!migration || migration->status.phase != kinds::MigrationPhase::Succeeded) return false;
    }
    return true;
  }

  // Until nobody has anything to do at this instant, nor within the next second.
  void settle() {
    const Timestamp end = clock_.now() + std::chrono::seconds(1);
    while (true) {
      bool acted = false;
      for (client::Reflector* cache : caches_) acted = pump(*cache) || acted;
      for (control::Controller* controller : controllers_)
        for (int pass = 0; pass < kPassesAtATime && controller->passOnce(); ++pass) acted = true;
      acted = acted || !agents_.idle();
      agents_.answer();
      if (acted) continue;
      if (clock_.now() >= end) return;
      clock_.advance(std::chrono::milliseconds(10));
    }
  }

 private:
  static std::string nameOf(int machine) { return fmt::format("vm-{}", machine); }
  static std::string nodeOf(int node) { return fmt::format("node-{}", node); }

  bool pump(client::Reflector& cache) {
    const store::Revision before = seen_[&cache];
    if (before == store_.revision()) return false;
    seen_[&cache] = store_.revision();
    if (!cache.pump()) seen_.erase(&cache);
    return true;
  }

  // As it stands in the store once everybody has said what there is to say of it.
  template <class T>
  void put(T object) {
    object.metadata.uid = uuid(random_);
    object.metadata.creationTimestamp = clock_.now();
    const auto& resource = server_.catalog().at(schema::kind<T>);
    (void)store_.create(resource.storeKey(object.metadata.key()), apiserver::sealed(schema::write(object).as_object()));
  }

  void putNode(int number) {
    put(readyNode(nodeOf(number)));
    put(leaseOf(nodeOf(number), clock_.now()));
  }

  void putMachine(int number) {
    kinds::PersistentVolume volume;
    volume.metadata.name = fmt::format("pv-{}", number);
    volume.spec.accessModes = {"ReadWriteMany"};
    volume.spec.capacity = {{"storage", "1Gi"}};
    volume.status.phase = "Bound";
    kinds::PersistentVolumeClaim claim;
    claim.metadata.name = fmt::format("disk-{}", number);
    claim.metadata.nameSpace = "default";
    claim.spec.accessModes = volume.spec.accessModes;
    claim.spec.resources.requests = volume.spec.capacity;
    claim.spec.volumeName = volume.metadata.name;
    claim.status.phase = "Bound";
    claim.status.accessModes = claim.spec.accessModes;
    claim.status.capacity = volume.spec.capacity;
    put(claim);
    put(volume);
    putGuest(number, claim.metadata.name);
  }

  // Its instance and pod are made by the controllers.
  void putGuest(int number, const std::string& claim) {
    kinds::VirtualMachine machine;
    machine.metadata.name = nameOf(number);
    machine.metadata.nameSpace = "default";
    machine.spec.running = true;
    auto& spec = machine.spec.instance.spec;
    spec.domain.resources.requests = {{"memory", "1Gi"}};
    spec.volumes = {{"root", kinds::ClaimReference{claim}, std::nullopt}};
    put(machine);
  }

  SeededRandom random_{1};
  ManualClock clock_;
  store::MemoryStore store_;
  apiserver::ApiServer server_{store_, kinds::all(), clock_, random_,
                               apiserver::Options{.tokens = {{kToken, "admin", {"system:masters"}}}}};
  client::InProcessTransport line_{server_, kToken};
  const client::Client api_{line_};
  sim::AllControllers all_{api_, clock_, random_};
  AllAgents agents_{api_, clock_};
  std::map<const client::Reflector*, store::Revision> seen_;
  std::vector<client::Reflector*> caches_ = [this] {
    auto all = all_.caches();
    all.push_back(&agents_.pods);
    return all;
  }();
  std::vector<control::Controller*> controllers_ = all_.controllers();
};

int run(int machines, int migrations) {
  (void)log::setLevel("error");
  const double kibBefore = residentKiB();
  ScaleWorld world(machines);
  world.settle();
  const double before = cpuMs();
  for (int machine = 0; machine < migrations; ++machine) world.migrate(machine);
  world.settle();
  const double spent = cpuMs() - before;
  if (!world.allSucceeded(migrations)) {
    fmt::print(stderr, "not all migrations have succeeded\n");
    return 1;
  }
  fmt::print("{:.2f} {:.2f} {:.0f}\n", spent / migrations, before / machines, (residentKiB() - kibBefore) / machines);
  return 0;
}

}  // namespace
}  // namespace godwit::bench

int main(int count, char** words) {
  if (count != 3) return 2;
  return godwit::bench::run(std::stoi(words[1]), std::stoi(words[2]));
}
