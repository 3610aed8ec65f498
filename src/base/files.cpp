#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "base/descriptor.hpp"
#include "base/failed_to.hpp"

namespace godwit {
namespace {

bool writeAll(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::string> readFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return failedTo("open", path);
  std::string content;
  std::array<char, 1 << 14> part;
  for (;;) {
    const ssize_t length = ::read(file.number(), part.data(), part.size());
    if (length == 0) return content;
    if (length > 0)
      content.append(part.data(), static_cast<std::size_t>(length));
    else if (errno != EINTR)
      return failedTo("read", path);
  }
}

Result<> replaceFile(const std::string& path, std::string_view content, Durable durable) {
  const std::string draft = path + ".new";
  const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file) return failedTo("create", draft);
  if (!writeAll(file.number(), content)) return failedTo("write", draft);
  if (durable != Durable::Nothing && ::fsync(file.number()) != 0) return failedTo("write", draft);
  if (::rename(draft.c_str(), path.c_str()) != 0) return failedTo("rename", draft);
  return durable == Durable::ContentAndName ? syncDirectory(std::filesystem::path(path).parent_path()) : Result<>{};
}

Result<> syncDirectory(const std::string& path) {
  const Descriptor directory(::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory || ::fsync(directory.number()) != 0) return failedTo("sync", path);
  return {};
}

}  // namespace godwit
