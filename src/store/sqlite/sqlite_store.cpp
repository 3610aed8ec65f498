#include "store/sqlite/sqlite_store.hpp"

#include "store/sqlite/staged_changes.hpp"

namespace godwit::store {

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& path, std::size_t remembered) {
  auto table = EntryTable::open(path);
  if (!table) return fail(within(path, std::move(table).error()));
  auto start = table->load();
  if (!start) return fail(within(path, std::move(start).error()));
  return std::make_unique<SqliteStore>(*std::move(table), *std::move(start), remembered);
}

SqliteStore::SqliteStore(EntryTable table, Listing start, std::size_t remembered)
    : MappedStore(remembered, std::move(start)),
      table_(std::move(table)),
      writer_([this](const auto& operations) { return commit(operations); }) {}

Writer::Answers SqliteStore::commit(const std::vector<Operation>& operations) {
  StagedChanges staged(map_);
  Writer::Answers answers;
  answers.reserve(operations.size());
  for (const Operation& operation : operations) answers.push_back(staged.add(operation));

  // A refusal may stand on a change that is lost with the batch, so all are told of the loss.
  if (const auto kept = table_.keep(staged.all()); !kept) return Writer::Answers(operations.size(), fail(kept.error()));
  map_.show(staged.all());
  return answers;
}

}  // namespace godwit::store
