#include "base/memory_file.hpp"

#include <sys/mman.h>

#include "base/failed_to.hpp"
#include "base/files.hpp"

namespace godwit {

Result<MemoryFile> MemoryFile::holding(std::string_view content) {
  Descriptor file(::memfd_create("godwit", MFD_CLOEXEC));
  if (!file) return failedTo("make", "a file in memory");
  const auto written = ::write(file.number(), content.data(), content.size());
  if (written != static_cast<ssize_t>(content.size())) return failedTo("write", "a file in memory");
  return MemoryFile(std::move(file));
}

std::string MemoryFile::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_.number());
}

Result<std::string> MemoryFile::content() const { return readFile(path()); }

}  // namespace godwit
