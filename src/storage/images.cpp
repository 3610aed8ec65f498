#include "storage/images.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace godwit::storage {
namespace {

namespace fs = std::filesystem;

Failure failedTo(const char* what, const std::string& path, int error) {
  return fail(Code::Unavailable, fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

Result<> createSparse(const std::string& path, std::int64_t bytes) {
  // Made under another name first: a crash must not leave an image of the wrong size.
  const std::string draft = path + ".new";
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return failedTo("create", draft, errno);
  const bool sized = ::ftruncate(file, bytes) == 0 && ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  if (!sized) return failedTo("size", draft, error);
  if (::rename(draft.c_str(), path.c_str()) != 0) return failedTo("rename", draft, errno);
  return {};
}

}  // namespace

Result<> FileImages::ensure(const hypervisor::DiskSource& image, std::int64_t bytes) {
  if (image.type == hypervisor::DiskSource::Type::Network) return {};
  struct stat found = {};
  if (::stat(image.path.c_str(), &found) == 0) {
    if (!S_ISREG(found.st_mode) || found.st_size >= bytes) return {};
    return fail(Code::Invalid, fmt::format("{} has {} bytes where {} are needed", image.path, found.st_size, bytes));
  }
  if (errno != ENOENT) return failedTo("look at", image.path, errno);
  std::error_code error;
  fs::create_directories(fs::path(image.path).parent_path(), error);
  if (error) return failedTo("make a directory for", image.path, error.value());
  return createSparse(image.path, bytes);
}

Result<> FileImages::remove(const hypervisor::DiskSource& image) {
  if (image.type == hypervisor::DiskSource::Type::Network) return {};
  if (::unlink(image.path.c_str()) != 0 && errno != ENOENT) return failedTo("remove", image.path, errno);
  const std::string directory = fs::path(image.path).parent_path();
  // What somebody else has put there keeps the directory; that is no failure.
  if (::rmdir(directory.c_str()) != 0 && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
    return failedTo("remove", directory, errno);
  return {};
}

}  // namespace godwit::storage
