#include <atomic>
#include <semaphore>
#include <string>
#include <vector>

#include "contract/store_contract.hpp"

namespace godwit::store {
namespace {

class StoreWatchContract : public StoreContract {};

TEST_P(StoreWatchContract, TellsAWatcherWhatEachChangeWas) {
  const auto watch = store->watch("/vms/", 0).value();
  created("/vms/a", "1");
  ASSERT_TRUE(store->replace("/vms/a", "2", 1));
  ASSERT_TRUE(store->remove("/vms/a", 2));

  const std::vector<Change> changes = watch->take().value();

  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].type, Change::Type::Created);
  EXPECT_EQ(changes[0].key, "/vms/a");
  EXPECT_EQ(*changes[0].value, "1");
  EXPECT_EQ(changes[0].previous, nullptr);
  EXPECT_EQ(changes[1].type, Change::Type::Replaced);
  EXPECT_EQ(*changes[1].value, "2");
  EXPECT_EQ(*changes[1].previous, "1");
  EXPECT_EQ(changes[2].type, Change::Type::Removed);
  EXPECT_EQ(*changes[2].value, "2");
  EXPECT_EQ(*changes[2].previous, "2");
  EXPECT_EQ(revisionsOf(changes), (std::vector<Revision>{1, 2, 3}));
}

TEST_P(StoreWatchContract, TellsAWatcherOnlyWhatStartsWithItsPrefix) {
  const auto watch = store->watch("/vms/", 0).value();
  created("/vms/a");
  created("/vmsx");
  created("/pods/a");
  created("/vms/b");
  EXPECT_EQ(revisionsOf(watch->take().value()), (std::vector<Revision>{1, 4}));
}

TEST_P(StoreWatchContract, TellsAWatcherEachChangeOnce) {
  const auto watch = store->watch("", 0).value();
  created("/vms/a");
  EXPECT_EQ(watch->take()->size(), 1u);
  EXPECT_TRUE(watch->take()->empty());
  created("/vms/b");
  EXPECT_EQ(revisionsOf(watch->take().value()), std::vector<Revision>{2});
}

TEST_P(StoreWatchContract, StartsAWatchWithTheChangesAfterTheGivenRevision) {
  created("/vms/a");
  created("/vms/b");
  created("/vms/c");
  const auto watch = store->watch("/vms/", 1).value();
  created("/vms/d");
  EXPECT_EQ(revisionsOf(watch->take().value()), (std::vector<Revision>{2, 3, 4}));
}

TEST_P(StoreWatchContract, WatchesFromARevisionThatIsYetToCome) {
  const auto watch = store->watch("", 1).value();
  created("/vms/a");
  created("/vms/b");
  EXPECT_EQ(revisionsOf(watch->take().value()), std::vector<Revision>{2});
}

TEST_P(StoreWatchContract, RefusesAWatchFromARevisionItHasForgotten) {
  for (std::size_t i = 0; i <= kRemembered; ++i) created("/vms/" + std::to_string(i));

  EXPECT_EQ(store->watch("/vms/", 0).error().code, Code::Gone);
  const auto oldest = store->watch("/vms/", 1);
  ASSERT_TRUE(oldest);
  EXPECT_EQ((*oldest)->take()->size(), kRemembered);
}

TEST_P(StoreWatchContract, TellsAWatcherThatFellBehindToListAgain) {
  const auto slow = store->watch("/vms/", 0).value();
  for (std::size_t i = 0; i < kRemembered; ++i) created("/vms/" + std::to_string(i));
  const auto quick = store->watch("/vms/", store->revision()).value();
  created("/vms/last");

  EXPECT_EQ(slow->take().error().code, Code::Gone);
  EXPECT_EQ(slow->take().error().code, Code::Gone);
  EXPECT_EQ(quick->take()->size(), 1u);
}

TEST_P(StoreWatchContract, DoesNotCountWhatAWatcherDoesNotCareForAsFallingBehind) {
  const auto watch = store->watch("/vms/", 0).value();
  created("/vms/a");
  for (std::size_t i = 0; i < 3 * kRemembered; ++i) created("/pods/" + std::to_string(i));
  EXPECT_EQ(revisionsOf(watch->take().value()), std::vector<Revision>{1});
}

TEST_P(StoreWatchContract, WakesAWatcherOnceWhenThereIsSomethingToTake) {
  const auto watch = store->watch("/vms/", 0).value();
  std::counting_semaphore<> woken(0);
  watch->whenReady([&] { woken.release(); });
  created("/pods/a");
  EXPECT_FALSE(woken.try_acquire());

  created("/vms/a");
  created("/vms/b");

  woken.acquire();
  EXPECT_FALSE(woken.try_acquire());
}

TEST_P(StoreWatchContract, WakesAtOnceWhenThereIsSomethingToTakeAlready) {
  const auto watch = store->watch("/vms/", 0).value();
  created("/vms/a");
  bool woken = false;
  watch->whenReady([&] { woken = true; });
  EXPECT_TRUE(woken);
}

TEST_P(StoreWatchContract, WakesOnlyWhoAskedLast) {
  const auto watch = store->watch("/vms/", 0).value();
  std::atomic<int> first = 0;
  std::atomic<int> second = 0;
  watch->whenReady([&] { ++first; });
  watch->whenReady([&] { ++second; });
  created("/vms/a");
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

TEST_P(StoreWatchContract, ShowsAChangeToReadersBeforeItWakesTheWatcher) {
  const auto watch = store->watch("/vms/", 0).value();
  std::atomic<bool> seen = false;
  watch->whenReady([&] { seen = store->get("/vms/a").has_value() && watch->take()->size() == 1; });
  created("/vms/a");
  EXPECT_TRUE(seen);
}

TEST_P(StoreWatchContract, WakesAtOnceAWatcherThatFellBehind) {
  const auto watch = store->watch("/vms/", 0).value();
  for (std::size_t i = 0; i <= kRemembered; ++i) created("/vms/" + std::to_string(i));
  bool woken = false;
  watch->whenReady([&] { woken = true; });
  EXPECT_TRUE(woken);
}

TEST_P(StoreWatchContract, DoesNotWakeAWatchThatWasDestroyed) {
  auto watch = store->watch("/vms/", 0).value();
  std::atomic<int> wakes = 0;
  watch->whenReady([&] { ++wakes; });
  watch.reset();
  created("/vms/a");
  EXPECT_EQ(wakes, 0);
}

INSTANTIATE_TEST_SUITE_P(AllBackends, StoreWatchContract, testing::ValuesIn(allBackends()), nameOf);

}  // namespace
}  // namespace godwit::store
