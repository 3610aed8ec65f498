#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit {

// A file that is in memory alone, and gone with this. What may not be written to a disk or stand in an argument
// list reaches a child process by its path, and what the child says comes back the same way.
class MemoryFile {
 public:
  static Result<MemoryFile> holding(std::string_view content);

  // For this process and its children of the same user.
  std::string path() const;
  Result<std::string> content() const;

 private:
  explicit MemoryFile(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace godwit
