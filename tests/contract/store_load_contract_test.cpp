#include <algorithm>
#include <functional>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "contract/store_contract.hpp"

namespace godwit::store {
namespace {

class StoreContractUnderLoad : public StoreContract {
 protected:
  static constexpr int kWriters = 4;
  static constexpr int kWritesEach = 100;
  static constexpr std::size_t kAllWrites = std::size_t{kWriters} * kWritesEach;

  StoreContractUnderLoad() : StoreContract(kAllWrites) {}

  static void onEveryWriter(const std::function<void(int)>& work) {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) writers.emplace_back([&work, writer] { work(writer); });
  }
};

TEST_P(StoreContractUnderLoad, GivesConcurrentWritersRevisionsWithoutGapOrDouble) {
  std::vector<std::vector<Revision>> given(kWriters);
  onEveryWriter([&](int writer) {
    for (int i = 0; i < kWritesEach; ++i)
      given[static_cast<std::size_t>(writer)].push_back(
          created("/vms/" + std::to_string(writer) + "-" + std::to_string(i)));
  });

  std::vector<Revision> all;
  for (const auto& revisions : given) {
    EXPECT_TRUE(std::is_sorted(revisions.begin(), revisions.end()));
    all.insert(all.end(), revisions.begin(), revisions.end());
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<Revision>(i + 1));
  EXPECT_EQ(store->revision(), Revision{kAllWrites});
}

TEST_P(StoreContractUnderLoad, TellsAWatcherEachOfManyChangesOnceAndInOrder) {
  const auto watch = store->watch("/vms/", 0).value();
  std::vector<Revision> seen;
  std::jthread watcher([&] {
    while (seen.size() < kAllWrites) {
      std::binary_semaphore woken(0);
      watch->whenReady([&] { woken.release(); });
      woken.acquire();
      const auto taken = revisionsOf(watch->take().value());
      seen.insert(seen.end(), taken.begin(), taken.end());
    }
  });
  onEveryWriter([&](int writer) {
    for (int i = 0; i < kWritesEach; ++i) created("/vms/" + std::to_string(writer) + "-" + std::to_string(i));
  });
  watcher.join();

  for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], static_cast<Revision>(i + 1));
}

TEST_P(StoreContractUnderLoad, LosesNoneOfManyConditionalReplacements) {
  created("/counter", "0");
  onEveryWriter([&](int) {
    for (int done = 0; done < kWritesEach / 4;) {
      const Entry entry = store->get("/counter").value();
      const auto replaced = store->replace("/counter", std::to_string(std::stoi(*entry.value) + 1), entry.revision);
      if (replaced) ++done;
    }
  });
  EXPECT_EQ(*store->get("/counter")->value, std::to_string(kWriters * (kWritesEach / 4)));
}

INSTANTIATE_TEST_SUITE_P(AllBackends, StoreContractUnderLoad, testing::ValuesIn(allBackends()), nameOf);

}  // namespace
}  // namespace godwit::store
