#include <string>
#include <vector>

#include "contract/store_contract.hpp"

namespace godwit::store {
namespace {

using Keys = std::vector<std::string>;

Keys keys(const Result<Listing>& listing) {
  Keys found;
  for (const Entry& entry : listing.value().entries) found.push_back(entry.key);
  return found;
}

TEST_P(StoreContract, GivesEveryWriteTheNextRevision) {
  EXPECT_EQ(store->revision(), 0);
  EXPECT_EQ(store->create("/vms/a", "1").value(), 1);
  EXPECT_EQ(store->replace("/vms/a", "2", 1).value(), 2);
  EXPECT_EQ(store->remove("/vms/a", 2).value(), 3);
  EXPECT_EQ(store->revision(), 3);
}

TEST_P(StoreContract, SpendsNoRevisionOnARefusedWrite) {
  created("/vms/a");
  ASSERT_FALSE(store->create("/vms/a", "again"));
  ASSERT_FALSE(store->replace("/vms/b", "x", 1));
  ASSERT_FALSE(store->remove("/vms/a", 7));
  EXPECT_EQ(store->revision(), 1);
  EXPECT_EQ(created("/vms/b"), 2);
}

TEST_P(StoreContract, ReadsBackWhatWasWritten) {
  created("/vms/other");
  const Revision revision = created("/vms/db-1", "a");

  const Entry entry = store->get("/vms/db-1").value();

  EXPECT_EQ(entry.key, "/vms/db-1");
  EXPECT_EQ(*entry.value, "a");
  EXPECT_EQ(entry.revision, revision);
}

TEST_P(StoreContract, KeepsValuesByteForByte) {
  const std::string bytes("\0\xff{\"a\":1}\0", 10);
  created("/vms/bytes", bytes);
  created("/vms/empty", "");
  EXPECT_EQ(*store->get("/vms/bytes")->value, bytes);
  EXPECT_EQ(*store->get("/vms/empty")->value, "");
}

TEST_P(StoreContract, DoesNotFindWhatIsNotThere) {
  created("/vms/db-1");
  EXPECT_EQ(store->get("/vms/db").error().code, Code::NotFound);
}

TEST_P(StoreContract, LeavesAValueInTheReadersHandsAsItWas) {
  const Revision first = created("/vms/db-1", "a");
  const Entry before = store->get("/vms/db-1").value();
  ASSERT_TRUE(store->replace("/vms/db-1", "b", first));
  EXPECT_EQ(*before.value, "a");
}

TEST_P(StoreContract, RefusesToCreateWhatExists) {
  created("/vms/db-1", "a");
  EXPECT_EQ(store->create("/vms/db-1", "b").error().code, Code::AlreadyExists);
  EXPECT_EQ(*store->get("/vms/db-1")->value, "a");
}

TEST_P(StoreContract, CreatesAgainWhatWasRemoved) {
  const Revision first = created("/vms/db-1", "a");
  ASSERT_TRUE(store->remove("/vms/db-1", first));
  EXPECT_EQ(store->get("/vms/db-1").error().code, Code::NotFound);
  EXPECT_EQ(created("/vms/db-1", "b"), 3);
}

TEST_P(StoreContract, RefusesToReplaceAnObjectThatChangedSinceItWasRead) {
  const Revision first = created("/vms/db-1", "a");
  ASSERT_TRUE(store->replace("/vms/db-1", "b", first));

  const auto late = store->replace("/vms/db-1", "c", first);

  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::Conflict);
  EXPECT_EQ(*store->get("/vms/db-1")->value, "b");
}

TEST_P(StoreContract, RefusesToRemoveAnObjectThatChangedSinceItWasRead) {
  const Revision first = created("/vms/db-1", "a");
  ASSERT_TRUE(store->replace("/vms/db-1", "b", first));
  EXPECT_EQ(store->remove("/vms/db-1", first).error().code, Code::Conflict);
  EXPECT_TRUE(store->get("/vms/db-1"));
}

TEST_P(StoreContract, RefusesToReplaceOrRemoveWhatIsNotThere) {
  EXPECT_EQ(store->replace("/vms/db-1", "a", 1).error().code, Code::NotFound);
  EXPECT_EQ(store->remove("/vms/db-1", 1).error().code, Code::NotFound);
}

TEST_P(StoreContract, ListsWhatStartsWithThePrefixInKeyOrder) {
  for (const char* key : {"/vms/b", "/pods/a", "/vms/a", "/vmsx", "/vms/a/1"}) created(key);
  const auto listing = store->list("/vms/");
  EXPECT_EQ(keys(listing), (Keys{"/vms/a", "/vms/a/1", "/vms/b"}));
  EXPECT_EQ(keys(store->list("")).size(), 5u);
  EXPECT_EQ(keys(store->list("/nodes/")), Keys{});
}

TEST_P(StoreContract, ListsEntriesAtTheirOwnRevisionAndSaysTheStores) {
  created("/vms/a");
  created("/pods/a");
  const Listing listing = store->list("/vms/").value();
  EXPECT_EQ(listing.entries.at(0).revision, 1);
  EXPECT_EQ(listing.revision, 2);
}

TEST_P(StoreContract, CutsAListingAtTheLimitAndContinuesAfterTheLastKey) {
  for (const char* key : {"/vms/a", "/vms/b", "/vms/c", "/vmt"}) created(key);

  const auto first = store->list("/vms/", 2);
  EXPECT_EQ(keys(first), (Keys{"/vms/a", "/vms/b"}));
  EXPECT_TRUE(first->more);

  const auto rest = store->list("/vms/", 2, "/vms/b");
  EXPECT_EQ(keys(rest), Keys{"/vms/c"});
  EXPECT_FALSE(rest->more);
}

TEST_P(StoreContract, SaysNothingOfMoreWhenTheLimitIsJustReached) {
  created("/vms/a");
  created("/vms/b");
  EXPECT_FALSE(store->list("/vms/", 2)->more);
}

TEST_P(StoreContract, ContinuesAfterAKeyThatIsGoneOrLiesBeforeThePrefix) {
  created("/vms/a");
  created("/vms/c");
  EXPECT_EQ(keys(store->list("/vms/", 0, "/vms/b")), Keys{"/vms/c"});
  EXPECT_EQ(keys(store->list("/vms/", 0, "/pods/z")), (Keys{"/vms/a", "/vms/c"}));
  EXPECT_EQ(keys(store->list("/vms/", 0, "/vmt")), Keys{});
}

INSTANTIATE_TEST_SUITE_P(AllBackends, StoreContract, testing::ValuesIn(allBackends()), nameOf);

}  // namespace
}  // namespace godwit::store
