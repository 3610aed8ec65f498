#include "kinds/migration_rules.hpp"

#include <gtest/gtest.h>

#include "kinds/registry.hpp"

namespace godwit::kinds {
namespace {

using Problems = std::vector<FieldProblem>;

Problems problemsIn(std::string_view kind, std::string_view text) {
  for (const auto& definition : custom())
    if (definition.kind.name == kind) return definition.check(object::parseDocument(text).value()).problems;
  return {};
}

TEST(RulesForMigrations, RefuseWhatIsNegative) {
  EXPECT_EQ(problemsIn("MigrationPolicy", R"({"metadata":{"name":"a"},"spec":{"bandwidthPerMigration":"-1Mi"}})"),
            (Problems{{"spec.bandwidthPerMigration", "must not be negative"}}));
  EXPECT_EQ(problemsIn("KubeVirt", R"({"spec":{"configuration":{"migrations":{"bandwidthPerMigration":"-1"}}}})"),
            (Problems{{"spec.configuration.migrations.bandwidthPerMigration", "must not be negative"}}));
  EXPECT_EQ(problemsIn("VirtualMachineInstanceMigration",
                       R"({"spec":{"vmiName":"web","options":{"bandwidthPerMigration":"-1"}}})"),
            (Problems{{"spec.options.bandwidthPerMigration", "must not be negative"}}));
  const auto timeout = problemsIn("MigrationPolicy", R"({"spec":{"completionTimeoutPerGiB":-1}})");
  ASSERT_EQ(timeout.size(), 1u);
  EXPECT_EQ(timeout[0].path, "spec.completionTimeoutPerGiB");
}

TEST(RulesForMigrations, TakeWhatHasNoEnd) {
  EXPECT_EQ(problemsIn("MigrationPolicy", R"({"spec":{"bandwidthPerMigration":"0","progressTimeout":0}})"), Problems{});
}

}  // namespace
}  // namespace godwit::kinds
