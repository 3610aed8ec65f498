#include "controllers/node_search.hpp"

#include "controllers/migration/reconciler.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers {
namespace {

using enum object::Requirement::Operator;
using kinds::NodeSelector;

class NodeSearch : public LateCaches<migration::Reconciler> {
 protected:
  // "host-N" is the host of "node-N"; the last two have fast disks.
  void SetUp() override {
    for (int number = 1; number <= 4; ++number) {
      kinds::Node node;
      node.metadata.name = "node-" + std::to_string(number);
      node.metadata.labels = {{std::string(kinds::words::kHostname), "host-" + std::to_string(number)},
                              {"disk", number > 2 ? "nvme" : "hdd"}};
      ASSERT_TRUE(client.create(node));
    }
    learnEverything();
  }

  std::string find(const std::optional<NodeSelector>& terms, const std::string& butNot = "") {
    const auto found =
        findNode(world, terms, [&](const kinds::Node& node) { return ++asked, node.metadata.name != butNot; });
    return found ? found->metadata.name : "";
  }

  int asked = 0;
};

TEST_F(NodeSearch, LooksAtNoMoreNodesThanItMust) {
  EXPECT_EQ(find(std::nullopt), "node-1");
  EXPECT_EQ(find(std::nullopt, "node-1"), "node-2");
  EXPECT_EQ(asked, 3);
}

TEST_F(NodeSearch, LooksUpNodesAndHostsThatAreNamed) {
  EXPECT_EQ(find(NodeSelector{{{{}, {{"metadata.name", In, {"node-3"}}}}}}), "node-3");
  EXPECT_EQ(find(NodeSelector{{{{{std::string(kinds::words::kHostname), In, {"host-4"}}}, {}}}}), "node-4");
  EXPECT_EQ(find(NodeSelector{{{{}, {{"metadata.name", In, {"node-9"}}}}}}), "");
  EXPECT_EQ(asked, 2);
}

TEST_F(NodeSearch, AsksOfNamedNodesAllTheRest) {
  EXPECT_EQ(find(NodeSelector{{{{{"disk", In, {"nvme"}}}, {{"metadata.name", In, {"node-1", "node-3"}}}}}}), "node-3");
  EXPECT_EQ(find(NodeSelector{{{{{"disk", In, {"nvme"}}}, {{"metadata.name", In, {"node-1"}}}}}}), "");
}

TEST_F(NodeSearch, FindsWhatOnlyOneOfSeveralTermsNames) {
  const NodeSelector terms = {{{{}, {{"metadata.name", In, {"node-1"}}}}, {{{"disk", In, {"nvme"}}}, {}}}};
  EXPECT_EQ(find(terms), "node-1");
  EXPECT_EQ(find(terms, "node-1"), "node-3");
}

TEST_F(NodeSearch, FindsNoneForTermsThatMatchNothing) {
  EXPECT_EQ(find(NodeSelector{}), "");
  EXPECT_EQ(find(NodeSelector{{{}}}), "");
}

}  // namespace
}  // namespace godwit::controllers
