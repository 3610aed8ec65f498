#include "controllers/migration/options.hpp"

#include <gtest/gtest.h>

#include "kinds/kubevirt.hpp"

namespace godwit::controllers::migration {
namespace {

std::shared_ptr<const kinds::MigrationPolicy> policy(const std::string& name, Labels nameSpace, Labels instance) {
  kinds::MigrationPolicy made;
  made.metadata.name = name;
  made.spec.selectors = kinds::PolicySelectors{std::move(nameSpace), std::move(instance)};
  return std::make_shared<const kinds::MigrationPolicy>(made);
}

const Labelled kGuest{.nameSpace = {{"tier", "gold"}, {"team", "db"}}, .instance = {{"app", "sql"}, {"size", "xl"}}};

std::string chosen(const Policies& all) {
  const auto found = policyFor(all, kGuest);
  return found ? found->metadata.name : "none";
}

TEST(PolicyForAGuest, NamesOnlyLabelsThatItHas) {
  EXPECT_EQ(chosen({policy("a", {{"tier", "silver"}}, {}), policy("b", {}, {{"app", "sql"}, {"rack", "1"}})}), "none");
  EXPECT_EQ(chosen({policy("a", {}, {})}), "a") << "no label is asked for";
  EXPECT_EQ(chosen({std::make_shared<const kinds::MigrationPolicy>()}), "none") << "it has no selectors at all";
}

TEST(PolicyForAGuest, IsTheOneThatNamesTheMostLabels) {
  EXPECT_EQ(chosen({policy("a", {{"tier", "gold"}}, {}), policy("b", {{"tier", "gold"}, {"team", "db"}}, {}),
                    policy("c", {}, {})}),
            "b");
}

TEST(PolicyForAGuest, IsAmongEqualsTheOneThatNamesMoreOfItsOwn) {
  EXPECT_EQ(chosen({policy("a", {{"tier", "gold"}}, {}), policy("b", {}, {{"app", "sql"}})}), "b");
}

TEST(PolicyForAGuest, IsElseTheFirstByName) {
  EXPECT_EQ(chosen({policy("b", {}, {{"app", "sql"}}), policy("a", {}, {{"size", "xl"}})}), "a");
}

TEST(OptionsOfAMigration, AreTheUsualOnesWhereNobodySaysAnything) {
  const auto resolved = resolve({}, nullptr, std::nullopt);
  EXPECT_EQ(resolved.options.completionTimeoutPerGiB, 150);
  EXPECT_EQ(resolved.options.maxDowntimeMs, 300);
  EXPECT_EQ(resolved.options.bandwidthPerMigration, "0");
  EXPECT_EQ(resolved.options.allowWorkloadDisruption, false);
  EXPECT_EQ(resolved.policy, "");
}

TEST(OptionsOfAMigration, AreSaidByTheClosestOneWhoSpeaksOfThem) {
  kinds::MigrationOptions cluster;
  cluster.bandwidthPerMigration = "1Gi";
  cluster.progressTimeout = 10;
  cluster.maxDowntimeMs = 100;
  kinds::MigrationPolicy gold;
  gold.metadata.name = "gold";
  gold.spec.progressTimeout = 20;
  gold.spec.maxDowntimeMs = 200;
  kinds::MigrationOptions own;
  own.maxDowntimeMs = 50;
  const auto resolved = resolve(cluster, &gold, own);
  EXPECT_EQ(resolved.policy, "gold");
  EXPECT_EQ(resolved.options.bandwidthPerMigration, "1Gi");
  EXPECT_EQ(resolved.options.progressTimeout, 20);
  EXPECT_EQ(resolved.options.maxDowntimeMs, 50);
}

TEST(OptionsOfAMigration, AllowDisruptionAsPostCopyUnlessThatIsSaidToo) {
  kinds::MigrationPolicy gold;
  gold.spec.allowPostCopy = true;
  EXPECT_EQ(resolve({}, &gold, std::nullopt).options.allowWorkloadDisruption, true);
  gold.spec.allowWorkloadDisruption = false;
  EXPECT_EQ(resolve({}, &gold, std::nullopt).options.allowWorkloadDisruption, false);
  kinds::MigrationOptions own;
  own.allowPostCopy = true;
  EXPECT_EQ(resolve({}, &gold, own).options.allowWorkloadDisruption, true);
}

TEST(OptionsOfAMigration, AreWrittenForTheMoverInFull) {
  EXPECT_EQ(writeOptions(resolve({}, nullptr, std::nullopt).options),
            R"({"bandwidthPerMigration":"0","completionTimeoutPerGiB":150,"progressTimeout":150,"maxDowntimeMs":300,)"
            R"("allowAutoConverge":false,"allowPostCopy":false,"allowWorkloadDisruption":false})");
}

}  // namespace
}  // namespace godwit::controllers::migration
