#pragma once

#include <cstdint>
#include <string>

#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit::node::logs {

// A log on disk that somebody else appends to. One that is not there yet is empty.
class LogFile {
 public:
  explicit LogFile(std::string path) : path_(std::move(path)) {}

  Result<std::uint64_t> size();
  // What stands at `offset`: `most` bytes of it, or as many as there are.
  Result<std::string> read(std::uint64_t offset, std::size_t most);

 private:
  Result<bool> isOpen();

  std::string path_;
  Descriptor file_;
};

// A part of a log.
struct Span {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

// Where the last `count` lines of the span begin; one without its line break counts. Reads backwards, and hardly more
// than those lines.
Result<std::uint64_t> startOfLastLines(LogFile& log, Span span, std::int64_t count);

// Where the first line begins that says itself, with its first word, that it was written at that time or later.
Result<std::uint64_t> startOfLinesSince(LogFile& log, Span span, Timestamp since);

}  // namespace godwit::node::logs
