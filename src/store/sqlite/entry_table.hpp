#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/database.hpp"
#include "store/store.hpp"

namespace godwit::store {

// The entries and the revision of a store on disk, for one thread at a time.
class EntryTable {
 public:
  // Creates the file when there is none. Unavailable while anybody else has it open.
  static Result<EntryTable> open(const std::string& path);

  Result<Listing> load();

  // All of the changes, in revision order, or none of them; on disk when it returns.
  Result<> keep(const std::vector<Change>& changes);

 private:
  EntryTable(Database database, Statement put, Statement erase, Statement advance);

  Result<> write(const Change& change);
  Result<> writeAll(const std::vector<Change>& changes);

  Database database_;
  Statement put_;
  Statement erase_;
  Statement advance_;
};

}  // namespace godwit::store
