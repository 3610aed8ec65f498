#include <algorithm>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "base/bell.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "bench/stand_ins.hpp"
#include "client/kubeconfig.hpp"
#include "control/controller.hpp"
#include "control/workers.hpp"
#include "http/client.hpp"
#include "kinds/core.hpp"
#include "kinds/kubevirt.hpp"
#include "kinds/migration.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "kinds/volume_migration.hpp"
#include "kinds/words.hpp"

// overhead_world KUBECONFIG ALONE BURST: moves guests that nobody runs by a server and controllers that are real.
// Whoever takes the part of the nodes says at once that all is done. Prints how many ms it takes from the creation of a
// migration until it has succeeded: the median and the worst of ALONE one after the other, and of BURST at once; and of
// ALONE disks one after the other, from when a VM's claim is edited until its migration has succeeded.
//
// overhead_world KUBECONFIG GUEST: moves one that somebody runs, and prints when that was asked for and when it was
// over, in microseconds since 1970. overhead_world KUBECONFIG volume CLAIM DESTINATION: the same for a disk, in place.
namespace godwit::bench {
namespace {

namespace words = kinds::words;
using Migration = kinds::VirtualMachineInstanceMigration;
using Instance = kinds::VirtualMachineInstance;
using Claim = kinds::PersistentVolumeClaim;
using Instant = std::chrono::steady_clock::time_point;

constexpr int kNodes = 4;
constexpr int kThreads = 4;

// The agents of all nodes, without a hypervisor.
class Agents final : public control::Reconciler {
 public:
  Agents(const client::Client& api, const Clock& clock) : pods(api), api_(api), clock_(clock) {}

  client::Cache<kinds::Pod> pods;

  Result<control::Again> reconcile(const object::Key& key) override {
    const auto pod = pods.get(key);
    if (!pod || pod->spec.nodeName.empty()) return control::Again{};
    if (pod->metadata.beingDeleted()) TRY(api_.letGo(*pod, words::kNodeFinalizer));
    if (pod->metadata.beingDeleted() || pod->ready() || pod->ended()) return control::Again{};
    TRY(api_.changeStatus(*pod, answered(*pod, clock_.now()), client::Unless::Never));
    return control::Again{};
  }

 private:
  const client::Client& api_;
  const Clock& clock_;
};

// When what has come about, as a watch tells it.
class Stopwatch {
 public:
  void note(const std::string& what) {
    const Lock lock(mutex_);
    seen_.try_emplace(what, std::chrono::steady_clock::now());
    signal_.notifyAll();
  }
  Instant await(const std::string& what) {
    const Lock lock(mutex_);
    signal_.wait(mutex_, {}, [&]() REQUIRES(mutex_) { return seen_.contains(what); });
    return seen_.at(what);
  }

 private:
  Mutex mutex_;
  Signal signal_;
  std::map<std::string, Instant> seen_ GUARDED_BY(mutex_);
};

class World {
 public:
  World(const client::Client& api, int guests)
      : api_(api), agents_(api, clock_), instances_(api), migrations_(api), claims_(api) {
    controller_.follow(agents_.pods);
    instances_.onChange([this](const Instance*, const Instance* after) {
      if (after && after->status.phase == kinds::InstancePhase::Running && !after->moving())
        stopwatch_.note(after->metadata.name);
    });
    migrations_.onChange([this](const Migration*, const Migration* after) {
      if (!after || !kinds::isFinal(after->status.phase)) return;
      stopwatch_.note(after->metadata.name);
      const bool succeeded = after->status.phase == kinds::MigrationPhase::Succeeded;
      for (const auto& volume : after->spec.migratedVolumes)
        if (succeeded) stopwatch_.note(volume.destinationClaim);
    });
    claims_.onChange([this](const Claim*, const Claim* after) {
      if (after && after->status.phase == "Bound") stopwatch_.note("bound " + after->metadata.name);
    });
    working_ = std::jthread([this](std::stop_token stop) {
      control::runWorkers({&agents_.pods, &instances_, &migrations_, &claims_}, {&controller_}, kThreads, stop);
    });
    settle(guests);
  }

  // A VM whose disk can be at any of these claims, and is at the first.
  void startMachine(int disks) {
    kinds::StorageClass shared;
    shared.metadata.name = "shared";
    shared.provisioner = words::kDirectoryProvisioner;
    shared.parameters["sharedDirectory"] = "/nowhere";
    put(shared);
    for (int disk = 0; disk < disks; ++disk) {
      Claim claim;
      claim.metadata.name = diskOf(disk);
      claim.metadata.nameSpace = "default";
      claim.spec.storageClassName = "shared";
      claim.spec.accessModes = {"ReadWriteOnce"};
      claim.spec.resources.requests = {{"storage", "1Gi"}};
      put(claim);
    }
    for (int disk = 0; disk < disks; ++disk) stopwatch_.await("bound " + diskOf(disk));
    kinds::VirtualMachine machine;
    machine.metadata.name = "machine";
    machine.metadata.nameSpace = "default";
    machine.spec.running = true;
    machine.spec.updateVolumesStrategy = kinds::update_strategy::kMigration;
    auto& spec = machine.spec.instance.spec;
    spec.domain.resources.requests = {{"memory", "1Gi"}};
    spec.domain.devices.disks.resize(1);
    spec.domain.devices.disks[0].name = "root";
    spec.domain.devices.disks[0].disk.emplace().bus = "virtio";
    spec.volumes = {{"root", kinds::ClaimReference{diskOf(0)}, std::nullopt}};
    put(machine);
    stopwatch_.await("machine");
  }
  double moveDisk(int disk) {
    const auto machine = api_.get<kinds::VirtualMachine>({"default", "machine"});
    if (!machine) std::_Exit(1);
    auto after = *machine;
    after.spec.instance.spec.volumes.at(0).persistentVolumeClaim->claimName = diskOf(disk);
    const Instant begin = std::chrono::steady_clock::now();
    if (!api_.change(*machine, after, client::Unless::Never)) std::_Exit(1);
    return std::chrono::duration<double, std::milli>(stopwatch_.await(diskOf(disk)) - begin).count();
  }

  Instant migrate(int guest, int attempt) {
    Migration migration;
    migration.metadata.name = nameOf(guest, attempt);
    migration.metadata.nameSpace = "default";
    migration.spec.vmiName = nameOf(guest);
    const Instant begin = std::chrono::steady_clock::now();
    if (!api_.create(migration)) std::_Exit(1);
    return begin;
  }
  double untilMoved(int guest, int attempt, Instant begin) {
    const Instant end = stopwatch_.await(nameOf(guest, attempt));
    const auto ended = api_.get<Migration>({"default", nameOf(guest, attempt)});
    if (!ended || ended->status.phase != kinds::MigrationPhase::Succeeded) std::_Exit(1);
    return std::chrono::duration<double, std::milli>(end - begin).count();
  }

 private:
  static std::string diskOf(int number) { return fmt::format("disk-{}", number); }
  static std::string nameOf(int guest) { return fmt::format("guest-{}", guest); }
  static std::string nameOf(int guest, int attempt) { return fmt::format("move-{}-{}", guest, attempt); }

  template <class T>
  void put(T object) {
    const auto made = api_.create(object);
    const auto whole = made ? api_.changeStatus(*made, withStatus(*made, object)) : made;
    if (whole || whole.error().code == Code::AlreadyExists) return;
    fmt::print(stderr, "{}\n", whole.error().message);
    std::_Exit(1);
  }
  template <class T>
  static T withStatus(T made, const T& wanted) {
    if constexpr (requires { made.status; }) made.status = wanted.status;
    return made;
  }

  void settle(int guests) {
    kinds::Namespace home;
    home.metadata.name = "kubevirt";
    put(home);
    kinds::KubeVirt cluster;
    cluster.metadata.name = cluster.metadata.nameSpace = "kubevirt";
    auto& limits = cluster.spec.configuration.emplace().migrations.emplace();
    limits.parallelMigrationsPerCluster = limits.parallelOutboundMigrationsPerNode = 200;
    put(cluster);
    for (int number = 0; number < kNodes; ++number) {
      const std::string name = fmt::format("node-{}", number);
      put(readyNode(name));
      put(leaseOf(name, clock_.now()));
    }
    for (int number = 0; number < guests; ++number) {
      Instance instance;
      instance.metadata.name = nameOf(number);
      instance.metadata.nameSpace = "default";
      instance.spec.domain.resources.requests = {{"memory", "1Gi"}};
      put(instance);
    }
    for (int number = 0; number < guests; ++number) stopwatch_.await(nameOf(number));
  }

  const SystemClock clock_;
  const client::Client& api_;
  Agents agents_;
  control::Controller controller_{"agents", agents_, clock_};
  client::Cache<Instance> instances_;
  client::Cache<Migration> migrations_;
  client::Cache<Claim> claims_;
  Stopwatch stopwatch_;
  std::jthread working_;  // the last member: it uses all others
};

Migration moveOf(const std::string& guest) {
  Migration migration;
  migration.metadata.generateName = "bench-";
  migration.metadata.nameSpace = "default";
  migration.spec.vmiName = guest;
  return migration;
}

kinds::VolumeMigration moveOf(const std::string& claim, const std::string& destination) {
  kinds::VolumeMigration wish;
  wish.metadata.generateName = "bench-";
  wish.metadata.nameSpace = "default";
  wish.spec.migratedVolume = {{claim, destination}};
  wish.spec.mechanism = kinds::Mechanism::InPlace;
  return wish;
}

template <class Move>
int carryOut(const client::Client& api, const Move& move) {
  client::Cache<Move> moves(api);
  Bell bell;
  std::string watched;
  Mutex mutex;
  moves.onChange([&](const Move*, const Move* after) {
    const Lock lock(mutex);
    if (after && after->metadata.uid == watched && schema::nameOf(after->status.phase) == "Succeeded") bell.ring();
  });
  std::jthread watching([&](std::stop_token stop) { control::runWorkers({&moves}, {}, 0, stop); });
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch());
  };
  while (!moves.synced()) std::this_thread::yield();
  // A client has its connection already.
  if (!api.get<kinds::Namespace>({"", move.metadata.nameSpace})) return 1;
  const auto begin = now();
  {
    const Lock lock(mutex);
    const auto made = api.create(move);
    if (!made) return 1;
    watched = made->metadata.uid;
  }
  bell.wait({});
  fmt::print("{} {}\n", begin.count(), now().count());
  std::cout.flush();
  std::_Exit(0);
}

std::string figures(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return fmt::format("{:.1f} {:.1f}", all[all.size() / 2], all.back());
}

int moveMany(const client::Client& api, int alone, int burst) {
  World world(api, burst);
  std::vector<double> one;
  for (int attempt = 0; attempt < alone; ++attempt)
    one.push_back(world.untilMoved(attempt % burst, attempt, world.migrate(attempt % burst, attempt)));
  std::vector<Instant> begun;
  for (int guest = 0; guest < burst; ++guest) begun.push_back(world.migrate(guest, alone));
  std::vector<double> many;
  for (int guest = 0; guest < burst; ++guest)
    many.push_back(world.untilMoved(guest, alone, begun[static_cast<std::size_t>(guest)]));
  world.startMachine(alone + 1);
  std::vector<double> disks;
  for (int disk = 1; disk <= alone; ++disk) disks.push_back(world.moveDisk(disk));
  fmt::print("{} {} {}\n", figures(one), figures(many), figures(disks));
  std::cout.flush();
  std::_Exit(0);
}

}  // namespace
}  // namespace godwit::bench

int main(int count, char** words) {
  using namespace godwit;
  if (count < 3 || count > 5) return 2;
  (void)log::setLevel("error");
  const auto reached = client::loadKubeconfig(words[1]);
  auto transport = reached ? http::Client::create(*reached) : fail(reached.error());
  if (!transport) return 1;
  const client::Client api(**transport);
  if (count == 3) return bench::carryOut(api, bench::moveOf(words[2]));
  if (count == 5) return bench::carryOut(api, bench::moveOf(words[3], words[4]));
  return bench::moveMany(api, std::stoi(words[2]), std::stoi(words[3]));
}
