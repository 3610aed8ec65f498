#include "store/sqlite/entry_table.hpp"

#include <memory>
#include <utility>

namespace godwit::store {
namespace {

// The lock is exclusive, and is held from the first transaction on. FULL flushes the log at every
// commit. The revision is kept apart because it must not go back when the newest entry is removed.
constexpr const char* kPrepareFile = R"sql(
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  BEGIN EXCLUSIVE;
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value BLOB NOT NULL, revision INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  INSERT OR IGNORE INTO meta VALUES ('revision', 0);
  COMMIT;
)sql";

}  // namespace

EntryTable::EntryTable(Database database, Statement put, Statement erase, Statement advance)
    : database_(std::move(database)), put_(std::move(put)), erase_(std::move(erase)), advance_(std::move(advance)) {}

Result<EntryTable> EntryTable::open(const std::string& path) {
  Database database = TRY(Database::open(path));
  TRY(database.run(kPrepareFile));
  Statement put = TRY(database.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)"));
  Statement erase = TRY(database.prepare("DELETE FROM entries WHERE key = ?"));
  Statement advance = TRY(database.prepare("UPDATE meta SET value = ? WHERE name = 'revision'"));
  return EntryTable(std::move(database), std::move(put), std::move(erase), std::move(advance));
}

Result<Listing> EntryTable::load() {
  Listing listing;
  Statement revision = TRY(database_.prepare("SELECT value FROM meta WHERE name = 'revision'"));
  if (TRY(revision.step())) listing.revision = revision.number(0);
  Statement entries = TRY(database_.prepare("SELECT key, value, revision FROM entries ORDER BY key"));
  while (TRY(entries.step())) {
    auto value = std::make_shared<const std::string>(entries.bytes(1));
    listing.entries.push_back({entries.bytes(0), std::move(value), entries.number(2)});
  }
  return listing;
}

Result<> EntryTable::keep(const std::vector<Change>& changes) {
  if (changes.empty()) return {};
  TRY(database_.run("BEGIN IMMEDIATE"));
  auto kept = writeAll(changes);
  if (kept) kept = database_.run("COMMIT");
  if (kept) return {};
  // Some errors end the transaction by themselves, and then there is nothing to roll back.
  static_cast<void>(database_.run("ROLLBACK"));
  return kept;
}

Result<> EntryTable::writeAll(const std::vector<Change>& changes) {
  for (const Change& change : changes) TRY(write(change));
  return advance_.bind(1, changes.back().revision).run();
}

Result<> EntryTable::write(const Change& change) {
  if (change.type == Change::Type::Removed) return erase_.bind(1, change.key).run();
  return put_.bind(1, change.key).bindBlob(2, *change.value).bind(3, change.revision).run();
}

}  // namespace godwit::store
