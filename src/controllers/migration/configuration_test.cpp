#include "controllers/migration/configuration.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<const kinds::KubeVirt> kubeVirt(const std::string& nameSpace, const std::string& name, int age,
                                                std::int64_t limit) {
  kinds::KubeVirt made;
  made.metadata.nameSpace = nameSpace;
  made.metadata.name = name;
  made.metadata.creationTimestamp = Timestamp{} - age * 1h;
  made.spec.configuration.emplace().migrations.emplace().parallelMigrationsPerCluster = limit;
  return std::make_shared<const kinds::KubeVirt>(made);
}

TEST(ConfigurationOfTheCluster, IsThatOfTheKubeVirtInItsNamespace) {
  const auto chosen = configurationOf(
      {kubeVirt("default", "kubevirt", 3, 1), kubeVirt("kubevirt", "kubevirt", 1, 2), kubeVirt("kubevirt", "a", 2, 3)});
  EXPECT_EQ(chosen.parallelMigrationsPerCluster, 2);
}

TEST(ConfigurationOfTheCluster, IsThatOfTheOldestElse) {
  const auto chosen = configurationOf({kubeVirt("default", "a", 1, 1), kubeVirt("default", "b", 2, 2)});
  EXPECT_EQ(chosen.parallelMigrationsPerCluster, 2);
}

TEST(ConfigurationOfTheCluster, IsEmptyWhereNobodySaysAnything) {
  EXPECT_EQ(configurationOf({}), kinds::MigrationConfiguration{});
  EXPECT_EQ(configurationOf({std::make_shared<const kinds::KubeVirt>()}), kinds::MigrationConfiguration{});
}

}  // namespace
}  // namespace godwit::controllers::migration
