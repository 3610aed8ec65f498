#include <deque>
#include <map>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/random.hpp"
#include "kinds/words.hpp"
#include "scheduler/roster.hpp"
#include "scheduling/plain.hpp"

// How many pods find their node in a second, beside a scheduler that asks every node and looks at every pod.
namespace godwit::scheduler {
namespace {

constexpr std::size_t kPodsPerNode = 10;
constexpr std::size_t kGroup = 8;  // pods that keep away from each other
constexpr std::size_t kZones = 10;
constexpr std::size_t kBatch =
    50;  // pods that are made while the clock stands still, which takes longer than one of them

kinds::NodeSelector nodesLabelled(std::string_view label, const std::string& value) {
  return {{{{{std::string(label), object::Requirement::Operator::In, {value}}}, {}}}};
}

kinds::Node nodeNumbered(std::size_t number) {
  kinds::Node node;
  node.metadata.name = fmt::format("node-{:05}", number);
  node.metadata.labels = {{std::string(kinds::words::kHostname), node.metadata.name},
                          {"topology.kubernetes.io/zone", fmt::format("zone-{}", number % kZones)},
                          {"kubernetes.io/arch", "amd64"},
                          {"kubernetes.io/os", "linux"},
                          {"disk", number % 4 == 0 ? "nvme" : "ssd"}};
  node.spec.taints = {{std::string(kinds::words::kNodeTaint), "", "NoSchedule"}};
  node.status.allocatable = {{"memory", "256Gi"}, {"cpu", "64"}, {"pods", "110"}};
  return node;
}

kinds::PodAffinityTerm groupTerm(const std::string& group, std::string_view label) {
  return {.labelSelector = {{{"app", group}}, {}}, .topologyKey = std::string(label)};
}

struct Newcomer {
  kinds::Pod pod;
  std::vector<ClaimView> claims;
};

// Of ten pods two keep away from their group, one goes where its group is, two have a disk on one node, two want a
// zone, one would like fast disks, and two do not mind.
Newcomer newcomer(std::size_t number, std::size_t nodes) {
  Newcomer made;
  kinds::Pod& pod = made.pod;
  const std::string group = fmt::format("group-{}", number / 10 / kGroup);
  pod.metadata.nameSpace = "default";
  pod.metadata.name = fmt::format("virt-launcher-{}", number);
  pod.metadata.uid = fmt::format("uid-{}", number);
  pod.metadata.labels = {{"app", group},
                         {std::string(kinds::words::kApp), std::string(kinds::words::kAppLauncher)},
                         {std::string(kinds::words::kCreatedBy), pod.metadata.uid},
                         {std::string(kinds::words::kVmiName), pod.metadata.name}};
  pod.spec.tolerations = {{.key = std::string(kinds::words::kNodeTaint), .op = "Exists", .value = "", .effect = ""}};
  pod.spec.containers = {{.name = "compute", .image = "", .resources = {{{"memory", "4Gi"}, {"cpu", "1"}}, {}}}};
  switch (number % 10) {
    case 0:
    case 1:
      pod.metadata.labels["app"] = group + "-apart";
      pod.spec.affinity.emplace().podAntiAffinity =
          kinds::PodAffinity{{groupTerm(group + "-apart", kinds::words::kHostname)}};
      break;
    case 2:
      pod.spec.affinity.emplace().podAffinity = kinds::PodAffinity{{groupTerm(group, "topology.kubernetes.io/zone")}};
      break;
    case 3:
    case 4:
      made.claims = {
          {.name = "disk",
           .volume = "pv",
           .reachableFrom = nodesLabelled(kinds::words::kHostname, fmt::format("node-{:05}", number * 7919 % nodes))}};
      break;
    case 5:
    case 6:
      pod.spec.nodeSelector = {{"topology.kubernetes.io/zone", fmt::format("zone-{}", number / 10 % kZones)}};
      break;
    case 7:
      pod.spec.affinity.emplace().nodeAffinity =
          kinds::NodeAffinity{{}, {{50, nodesLabelled("disk", "nvme").nodeSelectorTerms[0]}}};
      break;
    default:
      break;
  }
  return made;
}

// A cluster where for each pod that comes the oldest goes.
class Cluster {
 public:
  explicit Cluster(std::size_t nodes) : nodes_(nodes) {
    for (std::size_t i = 0; i < nodes; ++i) {
      const kinds::Node node = nodeNumbered(i);
      roster_.seeNode(node.metadata.name, &node);
      plain_.setNode(node);
    }
    while (next_ < nodes * kPodsPerNode) {
      const Newcomer made = takeNext();
      plain_.setPod(made.pod, admit(made).node);
      residents_.push_back(made.pod.metadata.key());
    }
  }

  Newcomer takeNext() { return newcomer(next_++, nodes_); }
  std::vector<Newcomer> takeMany() {
    std::vector<Newcomer> many;
    for (std::size_t i = 0; i < kBatch; ++i) many.push_back(takeNext());
    return many;
  }

  // A pod's whole life as far as the scheduler is concerned, but for the requests it makes.
  Verdict admit(const Newcomer& made) {
    const object::Key key = made.pod.metadata.key();
    roster_.seePod(key, std::make_shared<const kinds::Pod>(made.pod));
    Verdict verdict = *roster_.place(key, made.claims);
    auto bound = std::make_shared<kinds::Pod>(made.pod);
    bound->spec.nodeName = verdict.node;
    roster_.seePod(key, std::move(bound));
    return verdict;
  }
  void dismissOldest(const object::Key& newest) {
    residents_.push_back(newest);
    roster_.seePod(residents_.front(), nullptr);
    residents_.pop_front();
  }

  std::size_t admittingByPlainScan(const Newcomer& made) const {
    return plain_.admitting(made.pod, made.claims).size();
  }

 private:
  const std::size_t nodes_;
  std::size_t next_ = 0;
  Roster roster_;
  PlainScheduler plain_;
  std::deque<object::Key> residents_;
};

// Made once for each size; each benchmark is run several times.
Cluster& clusterOf(std::size_t nodes) {
  static std::map<std::size_t, Cluster> clusters;
  return clusters.try_emplace(nodes, nodes).first->second;
}

void decide(benchmark::State& state) {
  Cluster& cluster = clusterOf(static_cast<std::size_t>(state.range(0)));
  while (state.KeepRunningBatch(kBatch)) {
    state.PauseTiming();
    const std::vector<Newcomer> many = cluster.takeMany();
    state.ResumeTiming();
    for (const Newcomer& made : many) {
      const Verdict verdict = cluster.admit(made);
      if (verdict.node.empty()) return state.SkipWithError(verdict.summary.c_str());
      cluster.dismissOldest(made.pod.metadata.key());
    }
  }
  state.SetItemsProcessed(state.iterations());
}

void decideByPlainScan(benchmark::State& state) {
  Cluster& cluster = clusterOf(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    const Newcomer made = cluster.takeNext();
    state.ResumeTiming();
    benchmark::DoNotOptimize(cluster.admittingByPlainScan(made));
  }
  state.SetItemsProcessed(state.iterations());
}

// Prints both rates of a size in one line, when the second is known. Rates are of processor time, which says the same
// on a busy machine; the first is also told by the clock on the wall.
class Ratios final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) {
        fmt::print("{}: {}\n", run.benchmark_name(), run.error_message);
        continue;
      }
      const Rates rates{.cpu = run.counters.at("items_per_second"),
                        .wall = static_cast<double>(run.iterations) / run.real_accumulated_time};
      const auto [other, first] = rates_.try_emplace(std::stoul(run.run_name.args), rates);
      if (!first)
        fmt::print(
            "scheduler, {:>6} nodes     godwit {:.0f} decisions/s ({:.0f} on the wall), a full scan {:.1f}/s: "
            "{:.0f}x\n",
            other->first, other->second.cpu, other->second.wall, rates.cpu, other->second.cpu / rates.cpu);
    }
  }

  // How the time of a decision grows from each size to the next.
  void Finalize() override {
    for (auto smaller = rates_.begin(), larger = smaller; larger != rates_.end(); smaller = larger++)
      if (smaller != larger)
        fmt::print("scheduler, {:>6} nodes     {:.0f}x the nodes take {:.2f}x the time\n", larger->first,
                   static_cast<double>(larger->first) / static_cast<double>(smaller->first),
                   smaller->second.cpu / larger->second.cpu);
  }

 private:
  struct Rates {
    double cpu = 0, wall = 0;
  };
  std::map<std::size_t, Rates> rates_;  // of decide, by the number of nodes
};

BENCHMARK(decide)->Arg(100)->Arg(1000)->Arg(10'000);
BENCHMARK(decideByPlainScan)->Arg(100)->Arg(1000)->Arg(10'000);

}  // namespace

int runBenchmarks(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  Ratios ratios;
  benchmark::RunSpecifiedBenchmarks(&ratios);
  benchmark::Shutdown();
  return 0;
}

}  // namespace godwit::scheduler

int main(int argc, char** argv) { return godwit::scheduler::runBenchmarks(argc, argv); }
