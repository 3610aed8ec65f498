#include "mover/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::mover {
namespace {

Failure journalFailedTo(const char* what, const std::string& path) {
  return fail(Code::Unavailable, fmt::format("cannot {} the journal {}: {}", what, path, std::strerror(errno)));
}

std::optional<Entry> parseLine(const std::string& line) {
  const auto document = object::parseDocument(line);
  if (!document) return std::nullopt;
  const auto entry = schema::parse<Entry>(json::value(*document));
  return entry ? std::optional(*entry) : std::nullopt;
}

}  // namespace

Result<std::optional<Entry>> readLastEntry(const std::string& path) {
  std::ifstream file(path);
  if (!file) return errno == ENOENT ? Result<std::optional<Entry>>(std::nullopt) : journalFailedTo("read", path);
  std::optional<Entry> last;
  for (std::string line; std::getline(file, line);)
    if (auto entry = parseLine(line)) last = std::move(entry);
  return last;
}

Result<FileJournal> FileJournal::open(const std::string& path) {
  auto last = TRY(readLastEntry(path));
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return journalFailedTo("open", path);
  return FileJournal(file, std::move(last));
}

FileJournal::FileJournal(FileJournal&& other) noexcept
    : file_(std::exchange(other.file_, -1)), last_(std::move(other.last_)) {}

FileJournal::~FileJournal() {
  if (file_ >= 0) ::close(file_);
}

Result<> FileJournal::append(const Entry& entry) {
  // The newline in front ends a line that a crash may have left half written.
  const std::string line = "\n" + json::serialize(schema::write(entry)) + "\n";
  if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return journalFailedTo("write", "");
  if (::fdatasync(file_) != 0) return journalFailedTo("sync", "");
  last_ = entry;
  return {};
}

}  // namespace godwit::mover
