#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit::importer {

// A new file, written from its beginning; what is zero takes no room.
class SparseFile {
 public:
  // One of that name is gone from then on, whoever still has it open.
  static Result<SparseFile> create(const std::string& path);

  Result<> append(std::string_view bytes);
  // Copies what another file has at the same places, and shares it where the filesystem can. `note` hears how many
  // bytes were looked at so far; an error of its own ends the copy.
  template <class Note>
  Result<> copy(const Descriptor& from, std::int64_t bytes, const Note& note) {
    for (std::int64_t at = 0; at < bytes;) {
      at = TRY(copySome(from, at, bytes));
      TRY(note(at));
    }
    end_ = bytes;
    return {};
  }
  std::int64_t size() const { return end_; }
  // Makes what was appended durable.
  Result<> sync() const;
  // Gives it that size, the rest being zero, and makes all of it durable.
  Result<> finish(std::int64_t bytes);

 private:
  SparseFile(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  Result<> writeAt(std::string_view bytes, std::int64_t at);
  // Returns where to go on.
  Result<std::int64_t> copySome(const Descriptor& from, std::int64_t at, std::int64_t end);

  std::string path_;
  Descriptor file_;
  std::int64_t end_ = 0;
};

}  // namespace godwit::importer
