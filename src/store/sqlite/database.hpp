#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace godwit::store {

template <auto Close>
struct Release {
  template <class T>
  void operator()(T* resource) const noexcept {
    Close(resource);
  }
};

// A prepared statement. Parameters and columns count from 1 and from 0, as in SQLite.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // What is bound must live until the statement has run.
  Statement& bind(int parameter, std::string_view text);
  Statement& bindBlob(int parameter, const std::string& bytes);
  Statement& bind(int parameter, std::int64_t number);

  // True when it stands on a row, false at the end.
  Result<bool> step();
  // Runs to the end and is ready to be bound and run again.
  Result<> run();

  std::string bytes(int column);
  std::int64_t number(int column);

 private:
  std::unique_ptr<sqlite3_stmt, Release<sqlite3_finalize>> statement_;
};

// One connection to an SQLite database, for one thread at a time.
class Database {
 public:
  // Creates the file when there is none.
  static Result<Database> open(const std::string& path);

  // Runs statements that have nothing to tell.
  Result<> run(const char* sql);
  Result<Statement> prepare(std::string_view sql);

 private:
  explicit Database(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Release<sqlite3_close_v2>> connection_;
};

}  // namespace godwit::store
