#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/scratch_directory_test.hpp"
#include "store/memory/memory_store.hpp"
#include "store/sqlite/sqlite_store.hpp"

// What every store must do, whatever keeps the bytes; the suites are beside this file.
namespace godwit::store {

struct Backend {
  std::string name;
  std::function<std::unique_ptr<Store>(const ScratchDirectory&, std::size_t remembered)> make;
};

inline void PrintTo(const Backend& backend, std::ostream* out) { *out << backend.name; }

class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  static constexpr std::size_t kRemembered = 8;

  explicit StoreContract(std::size_t remembered = kRemembered) : store(GetParam().make(scratch, remembered)) {}

  // The revision of a write that nothing stands in the way of.
  Revision created(const std::string& key, const std::string& value = "x") { return store->create(key, value).value(); }

  ScratchDirectory scratch;
  std::unique_ptr<Store> store;
};

inline std::vector<Revision> revisionsOf(const std::vector<Change>& changes) {
  std::vector<Revision> revisions;
  for (const Change& change : changes) revisions.push_back(change.revision);
  return revisions;
}

inline std::vector<Backend> allBackends() {
  return {{"Memory", [](const ScratchDirectory&, std::size_t n) { return std::make_unique<MemoryStore>(n); }},
          {"Sqlite", [](const ScratchDirectory& scratch, std::size_t n) {
             return SqliteStore::open(scratch.file("store.db"), n).value();
           }}};
}

inline std::string nameOf(const testing::TestParamInfo<Backend>& tested) { return tested.param.name; }

}  // namespace godwit::store
