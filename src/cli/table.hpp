#pragma once

#include <string>
#include <vector>

namespace godwit::cli {

// Columns as wide as their widest cell, three spaces apart, as kubectl prints them.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  // As many cells as the header has.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace godwit::cli
