#include "scheduler/census.hpp"

#include <gtest/gtest.h>

namespace godwit::scheduler {
namespace {

kinds::Pod podLabelled(const std::string& app, const std::string& nameSpace = "default") {
  kinds::Pod pod;
  pod.metadata.nameSpace = nameSpace;
  pod.metadata.name = app;
  pod.metadata.labels = {{"app", app}};
  return pod;
}

kinds::PodAffinityTerm inZoneOf(const std::string& app) {
  return {.labelSelector = {{{"app", app}}, {}}, .topologyKey = "zone"};
}

kinds::Pod keepingAwayFrom(const std::string& app, kinds::Pod pod) {
  pod.spec.affinity = kinds::Affinity{{}, {}, kinds::PodAffinity{{inZoneOf(app)}}};
  return pod;
}

kinds::Pod seeking(const std::string& app, kinds::Pod pod) {
  pod.spec.affinity = kinds::Affinity{{}, kinds::PodAffinity{{inZoneOf(app)}}, {}};
  return pod;
}

NodeView nodeIn(const std::string& zone) {
  NodeView node;
  node.name = "node-" + zone;
  node.places = {{"zone", zone}};
  return node;
}

const Tally kOneInTheEast = {"zone", {{"east", 1}}};

// One pod in the east.
struct Town {
  explicit Town(kinds::Pod pod) : resident(std::move(pod)) { census.add(resident, east); }

  const NodeView east = nodeIn("east"), west = nodeIn("west");
  const kinds::Pod resident;
  Census census;
};

TEST(Census, KnowsWhereThoseAreWhomAPodAvoids) {
  Town town(podLabelled("db"));

  EXPECT_EQ(*town.census.around(keepingAwayFrom("db", podLabelled("web"))).avoided.at(0), kOneInTheEast);
  EXPECT_TRUE(town.census.around(keepingAwayFrom("web", podLabelled("web"))).avoided.at(0)->empty());
}

TEST(Census, KnowsWhereThoseAreWhoAvoidAPod) {
  Town town(keepingAwayFrom("web", podLabelled("db")));

  EXPECT_EQ(*town.census.around(podLabelled("web")).defended.at(0), kOneInTheEast);
  EXPECT_TRUE(town.census.around(podLabelled("db")).defended.empty());
}

TEST(Census, MindsOnlyPodsOfTheNamespaceThatATermSpeaksOf) {
  Town town(podLabelled("db", "elsewhere"));
  kinds::Pod pod = keepingAwayFrom("db", podLabelled("web"));
  EXPECT_TRUE(town.census.around(pod).avoided.at(0)->empty());

  pod.spec.affinity->podAntiAffinity->required[0].namespaces = {"somewhere", "elsewhere"};
  EXPECT_EQ(*town.census.around(pod).avoided.at(0), kOneInTheEast);
}

TEST(Census, HearsThoseWhoSpeakOfOtherNamespaces) {
  kinds::Pod pod = keepingAwayFrom("web", podLabelled("db", "elsewhere"));
  pod.spec.affinity->podAntiAffinity->required[0].namespaces = {"default"};
  Town town(pod);

  EXPECT_EQ(town.census.around(podLabelled("web")).defended.size(), 1u);
  EXPECT_TRUE(town.census.around(podLabelled("web", "elsewhere")).defended.empty());
}

TEST(Census, KeepsUpWithThoseWhoComeAndGo) {
  Town town(podLabelled("db"));
  const kinds::Pod web = keepingAwayFrom("db", podLabelled("web"));
  town.census.around(web);

  const kinds::Pod another = podLabelled("db");
  town.census.add(another, town.west);
  EXPECT_EQ(*town.census.around(web).avoided.at(0), (Tally{"zone", {{"east", 1}, {"west", 1}}}));
  town.census.remove(town.resident);
  EXPECT_EQ(*town.census.around(web).avoided.at(0), (Tally{"zone", {{"west", 1}}}));
}

TEST(Census, LetsThePodBeTheFirstOfItsKindOnlyUntilThereIsOne) {
  Town town(podLabelled("db"));
  EXPECT_TRUE(town.census.around(seeking("web", podLabelled("web"))).firstOfItsKind);
  EXPECT_FALSE(town.census.around(seeking("cache", podLabelled("web"))).firstOfItsKind);
  EXPECT_FALSE(town.census.around(seeking("db", podLabelled("db"))).firstOfItsKind);
  EXPECT_FALSE(town.census.around(podLabelled("web")).firstOfItsKind);
}

TEST(Census, SeeksOnlyPodsThatAllTermsSpeakOf) {
  Town town(podLabelled("db"));
  kinds::Pod pod = seeking("db", podLabelled("web"));
  EXPECT_EQ(*town.census.around(pod).sought.at(0), kOneInTheEast);

  kinds::PodAffinityTerm large = inZoneOf("db");
  large.labelSelector.matchExpressions = {{"size", object::Requirement::Operator::Exists, {}}};
  pod.spec.affinity->podAffinity->required.push_back(large);
  EXPECT_TRUE(town.census.around(pod).sought.at(0)->empty());
}

TEST(Census, FindsPodsWhateverTheOperator) {
  using Operator = object::Requirement::Operator;
  Town town(podLabelled("db"));
  const auto countOf = [&](const object::Requirement& requirement) {
    kinds::Pod pod = keepingAwayFrom("", podLabelled("web"));
    pod.spec.affinity->podAntiAffinity->required[0].labelSelector = {{}, {requirement}};
    return town.census.around(pod).avoided.at(0)->counts.size();
  };

  EXPECT_EQ(countOf({"app", Operator::In, {"db", "db", "web"}}), 1u);
  EXPECT_EQ(countOf({"app", Operator::NotIn, {"web"}}), 1u);
  EXPECT_EQ(countOf({"app", Operator::NotIn, {"db"}}), 0u);
  EXPECT_EQ(countOf({"size", Operator::DoesNotExist, {}}), 1u);
  EXPECT_EQ(countOf({"app", Operator::Exists, {}}), 1u);
}

TEST(Census, HearsTheWishesOfBoth) {
  kinds::Pod resident = podLabelled("db");
  resident.spec.affinity = kinds::Affinity{{}, {}, kinds::PodAffinity{{}, {{7, inZoneOf("web")}}}};
  Town town(resident);
  kinds::Pod pod = podLabelled("web");
  pod.spec.affinity = kinds::Affinity{{}, kinds::PodAffinity{{}, {{30, inZoneOf("db")}}}, {}};

  const auto leanings = town.census.around(pod).leanings;

  ASSERT_EQ(leanings.size(), 2u);
  EXPECT_EQ(leanings[0].weight, 30);
  EXPECT_EQ(*leanings[0].tally, kOneInTheEast);
  EXPECT_EQ(leanings[1].weight, -7);
  EXPECT_EQ(*leanings[1].tally, kOneInTheEast);
}

TEST(Census, TakesForSiblingsThoseThatDifferOnlyInWhichGuestTheyAre) {
  kinds::Pod first = podLabelled("web"), second = podLabelled("web");
  first.metadata.labels["kubevirt.io/vmi-name"] = "web-1";
  second.metadata.labels["kubevirt.io/vmi-name"] = "web-2";
  Town town(first);

  const Siblings* siblings = town.census.around(second).siblings;
  ASSERT_NE(siblings, nullptr);
  EXPECT_EQ(*siblings, (Siblings{{&town.east, 1}}));
  EXPECT_EQ(town.census.around(podLabelled("db")).siblings, nullptr);
}

}  // namespace
}  // namespace godwit::scheduler
