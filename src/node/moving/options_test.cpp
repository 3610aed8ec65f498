#include "node/moving/options.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::node::moving {
namespace {

kinds::Pod podWith(const std::string& options) {
  kinds::Pod pod;
  pod.metadata.annotations[std::string(kinds::words::kMigrationOptions)] = options;
  return pod;
}

TEST(OptionsOfAMove, AreThoseThatItsPodCarries) {
  const auto options = optionsOf(podWith(
      R"({"bandwidthPerMigration":"64Mi","maxDowntimeMs":50,"completionTimeoutPerGiB":5,"allowAutoConverge":true})"));
  EXPECT_EQ(options, (mover::Options{.bandwidthBytesPerSecond = 64 << 20,
                                     .maxDowntimeMs = 50,
                                     .completionTimeoutPerGiB = 5,
                                     .autoConverge = true}));
}

TEST(OptionsOfAMove, LetTheGuestWaitWherePostCopyIsAllowedUnlessTheySayOtherwise) {
  const auto allowed = optionsOf(podWith(R"({"allowPostCopy":true})"));
  EXPECT_TRUE(allowed->disruption && allowed->postCopy);
  const auto refused = optionsOf(podWith(R"({"allowPostCopy":true,"allowWorkloadDisruption":false})"));
  EXPECT_FALSE(refused->disruption || refused->postCopy);
  const auto waiting = optionsOf(podWith(R"({"allowWorkloadDisruption":true})"));
  EXPECT_TRUE(waiting->disruption && !waiting->postCopy);
}

TEST(OptionsOfAMove, AreLeftAsTheyAreWhenTheyCannotBeRead) {
  EXPECT_EQ(optionsOf({}), std::nullopt);
  EXPECT_EQ(optionsOf(podWith("{")), std::nullopt);
  EXPECT_EQ(optionsOf(podWith(R"({"bandwidthPerMigration":"much"})")), std::nullopt);
}

}  // namespace
}  // namespace godwit::node::moving
