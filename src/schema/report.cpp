#include "schema/report.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace godwit::schema::report {
namespace {

// More than the longest line.
constexpr std::size_t kTail = 4096;

std::string tailOf(int file) {
  struct stat found = {};
  if (::fstat(file, &found) != 0) return "";
  std::array<char, kTail> tail;
  const off_t from = std::max<off_t>(0, found.st_size - static_cast<off_t>(tail.size()));
  const ssize_t length = ::pread(file, tail.data(), tail.size(), from);
  return std::string(tail.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
}

// A line without its end is still being written.
std::string lastWholeLine(std::string text) {
  text.erase(text.rfind('\n') + 1);
  if (text.empty()) return text;
  text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Result<Descriptor> open(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (file) return file;
  return fail(Code::Unavailable, fmt::format("cannot open the report {}: {}", path, std::strerror(errno)));
}

bool append(const Descriptor& file, const json::value& line) {
  const std::string text = json::serialize(line) + "\n";
  return ::write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::optional<object::Document> lastLine(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  auto document = object::parseDocument(lastWholeLine(tailOf(file.number())));
  return document ? std::optional(std::move(*document)) : std::nullopt;
}

}  // namespace godwit::schema::report
