#include <set>

#include <gtest/gtest.h>

#include "scheduler/roster.hpp"
#include "scheduling/plain.hpp"
#include "scheduling/random_cluster.hpp"

namespace godwit::scheduler {
namespace {

constexpr std::uint64_t kPods = 80;

// The real scheduler and the plain one, told the same.
class Comparison {
 public:
  Comparison(std::uint64_t seed, std::uint64_t nodes) : dice_(seed), nodes_(nodes) {
    for (std::uint64_t i = 0; i < nodes; ++i) renewNode(i);
  }

  // Something happens: a node comes, changes or goes, or a pod does.
  void step() {
    switch (dice_.below(8)) {
      case 0:
        return renewNode(dice_.below(nodes_));
      case 1:
        return removeNode(dice_.below(nodes_));
      case 2:
        return endPod(dice_.below(kPods));
      default:
        return placePod(dice_.below(kPods));
    }
  }

  int placed = 0, refused = 0;

 private:
  void renewNode(std::uint64_t number) {
    const kinds::Node node = dice_.node(number);
    roster_.seeNode(node.metadata.name, &node);
    plain_.setNode(node);
  }

  void removeNode(std::uint64_t number) {
    const std::string name = "node-" + std::to_string(number);
    roster_.seeNode(name, nullptr);
    plain_.removeNode(name);
  }

  void endPod(std::uint64_t number) {
    for (const char* space : {"space-m", "space-n"}) {
      const object::Key key{space, "pod-" + std::to_string(number)};
      roster_.seePod(key, nullptr);
      plain_.removePod(key);
    }
  }

  void placePod(std::uint64_t number) {
    endPod(number);
    kinds::Pod pod = dice_.pod(number);
    const object::Key key = pod.metadata.key();
    const auto claims = dice_.claims(nodes_);
    roster_.seePod(key, std::make_shared<const kinds::Pod>(pod));
    const std::vector<std::string> admitting = plain_.admitting(pod, claims);
    const std::string node = roster_.place(key, claims).value().node;
    if (node.empty()) {
      ++refused;
      ASSERT_TRUE(admitting.empty()) << object::show(key) << " would fit on " << admitting.front();
      return;
    }
    ++placed;
    ASSERT_TRUE(std::count(admitting.begin(), admitting.end(), node) == 1) << object::show(key) << " on " << node;
    plain_.setPod(pod, node);
    if (dice_.chance(2)) return;
    pod.spec.nodeName = node;  // It is seen there.
    roster_.seePod(key, std::make_shared<const kinds::Pod>(pod));
  }

  RandomCluster dice_;
  const std::uint64_t nodes_;
  Roster roster_;
  PlainScheduler plain_;
};

class TheScheduler : public testing::TestWithParam<std::uint64_t> {};

TEST_P(TheScheduler, TakesOnlyANodeThatThePlainOneWouldAndRefusesOnlyWhatThePlainOneRefuses) {
  for (const std::uint64_t nodes : {3, 20, 150}) {
    Comparison comparison(GetParam(), nodes);
    for (int i = 0; i < 200 && !HasFatalFailure(); ++i) comparison.step();
    EXPECT_GT(comparison.placed, 10) << nodes << " nodes";
    EXPECT_GT(comparison.refused, 3) << nodes << " nodes";
  }
}

INSTANTIATE_TEST_SUITE_P(UnderSeeds, TheScheduler, testing::Range<std::uint64_t>(0, 20));

}  // namespace
}  // namespace godwit::scheduler
