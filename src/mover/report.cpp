#include "mover/report.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 1s;
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

Result<Report> Report::open(const std::string& path, const Clock& clock) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (file) return Report(std::move(file), clock);
  return fail(Code::Unavailable, fmt::format("cannot open the report {}: {}", path, std::strerror(errno)));
}

void Report::note(const Progress& progress) {
  if (!isWorthALine(progress)) return;
  const std::string line = json::serialize(schema::write(progress)) + "\n";
  if (::write(file_.number(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) return;
  last_ = progress;
  writtenAt_ = clock_.now();
}

bool Report::isWorthALine(const Progress& progress) const {
  if (!last_ || progress.stage != last_->stage) return true;
  return progress != *last_ && clock_.now() - writtenAt_ >= kPause;
}

std::optional<Progress> readLastReport(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  const auto document = object::parseDocument(lastWholeLine(tailOf(file.number())));
  if (!document) return std::nullopt;
  const auto progress = schema::parse<Progress>(*document);
  return progress ? std::optional(*progress) : std::nullopt;
}

}  // namespace godwit::mover
