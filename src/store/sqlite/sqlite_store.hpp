#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/mapped_store.hpp"
#include "store/sqlite/entry_table.hpp"
#include "store/writer.hpp"

namespace godwit::store {

// Keeps everything in one SQLite file, and a copy in memory to read from. A write that was
// answered survives the death of the process and the loss of power.
class SqliteStore final : public MappedStore {
 public:
  // Unavailable when the file cannot be used, and while another store has it open.
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& path,
                                                   std::size_t remembered = kRememberedChanges);

  // `start` is what `table` holds.
  SqliteStore(EntryTable table, Listing start, std::size_t remembered);

 protected:
  Result<Revision> write(Operation operation) override { return writer_.write(std::move(operation)); }

 private:
  Writer::Answers commit(const std::vector<Operation>& operations);

  EntryTable table_;  // touched only by the writer's thread
  Writer writer_;     // the last member: its thread uses all others
};

}  // namespace godwit::store
