#include "store/sqlite/database.hpp"

#include <utility>

namespace godwit::store {
namespace {

// Whatever SQLite cannot do, it may be able to do later: the disk is full, the file is locked.
Failure lastFailure(sqlite3* connection) { return fail(Code::Unavailable, sqlite3_errmsg(connection)); }

}  // namespace

Statement& Statement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bindBlob(int parameter, const std::string& bytes) {
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), parameter, number);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return lastFailure(sqlite3_db_handle(statement_.get()));
}

Result<> Statement::run() {
  Result<bool> stepped = true;
  while (stepped && *stepped) stepped = step();
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  if (!stepped) return fail(std::move(stepped).error());
  return {};
}

std::string Statement::bytes(int column) {
  const auto* start = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return start ? std::string(start, size) : std::string();
}

std::int64_t Statement::number(int column) { return sqlite3_column_int64(statement_.get(), column); }

Result<Database> Database::open(const std::string& path) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(connection);
  if (code != SQLITE_OK) return lastFailure(connection);
  return database;
}

Result<> Database::run(const char* sql) {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return lastFailure(connection_.get());
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  Statement prepared(statement);
  if (code != SQLITE_OK) return lastFailure(connection_.get());
  return prepared;
}

}  // namespace godwit::store
