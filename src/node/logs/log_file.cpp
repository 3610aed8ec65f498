#include "node/logs/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/failed_to.hpp"
#include "base/time_format.hpp"

namespace godwit::node::logs {
namespace {

constexpr std::size_t kBlock = 64 << 10;

bool isFrom(std::string_view line, Timestamp since) {
  const auto written = parseRfc3339(line.substr(0, line.find(' ')));
  return written && *written >= since;
}

}  // namespace

Result<bool> LogFile::isOpen() {
  if (file_) return true;
  file_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file_ && errno != ENOENT) return failedTo("open", path_);
  return static_cast<bool>(file_);
}

Result<std::uint64_t> LogFile::size() {
  if (!TRY(isOpen())) return 0;
  struct stat status = {};
  if (::fstat(file_.number(), &status) != 0) return failedTo("look at", path_);
  return static_cast<std::uint64_t>(status.st_size);
}

Result<std::string> LogFile::read(std::uint64_t offset, std::size_t most) {
  std::string bytes;
  if (!TRY(isOpen())) return bytes;
  bytes.resize(most);
  ssize_t length = 0;
  do length = ::pread(file_.number(), bytes.data(), most, static_cast<off_t>(offset));
  while (length < 0 && errno == EINTR);
  if (length < 0) return failedTo("read", path_);
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

Result<std::uint64_t> startOfLastLines(LogFile& log, Span span, std::int64_t count) {
  if (count == 0 || span.size() == 0) return span.end;
  // The break that ends the last line begins no other.
  for (std::uint64_t end = span.end - 1; end > span.begin;) {
    const std::uint64_t start = end - std::min<std::uint64_t>(kBlock, end - span.begin);
    const std::string block = TRY(log.read(start, end - start));
    for (std::size_t at = block.size(); at > 0; --at)
      if (block[at - 1] == '\n' && --count == 0) return start + at;
    end = start;
  }
  return span.begin;
}

Result<std::uint64_t> startOfLinesSince(LogFile& log, Span span, Timestamp since) {
  std::string pending;  // the beginning of a line whose end has not been read
  std::uint64_t start = span.begin;
  for (std::uint64_t at = span.begin; at < span.end;) {
    const std::string block = TRY(log.read(at, std::min<std::uint64_t>(kBlock, span.end - at)));
    if (block.empty()) break;
    at += block.size();
    pending += block;
    std::size_t line = 0;
    for (std::size_t stop = 0; (stop = pending.find('\n', line)) != pending.npos; line = stop + 1)
      if (isFrom(std::string_view(pending).substr(line, stop - line), since)) return start + line;
    start += line;
    pending.erase(0, line);
  }
  return isFrom(pending, since) ? start : span.end;
}

}  // namespace godwit::node::logs
