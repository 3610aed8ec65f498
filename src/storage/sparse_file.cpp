#include "storage/sparse_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/descriptor.hpp"
#include "base/failed_to.hpp"

namespace godwit::storage {

namespace fs = std::filesystem;

namespace {

Result<> makeSparse(const std::string& path, std::int64_t bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file) return failedTo("create", path);
  if (::ftruncate(file.number(), bytes) != 0) return failedTo("size", path);
  return {};
}

Result<> syncFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fsync(file.number()) != 0) return failedTo("sync", path);
  return {};
}

}  // namespace

Result<> ensureFile(const std::string& path, const std::function<Result<>(const std::string&)>& make) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) == 0) return {};
  if (errno != ENOENT) return failedTo("look at", path);
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) return failedTo("make a directory for", path, error.value());
  // Made under another name first: a crash must not leave a file of the wrong size.
  const std::string draft = path + ".new";
  TRY(make(draft));
  TRY(syncFile(draft));
  if (::rename(draft.c_str(), path.c_str()) != 0) return failedTo("rename", draft);
  return {};
}

Result<> ensureSparseFile(const std::string& path, std::int64_t bytes) {
  return ensureFile(path, [&](const std::string& draft) { return makeSparse(draft, bytes); });
}

Result<> growFile(const std::string& path, std::int64_t bytes) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return errno == ENOENT ? Result<>() : failedTo("look at", path);
  if (found.st_size < bytes && ::truncate(path.c_str(), bytes) != 0) return failedTo("grow", path);
  return {};
}

Result<> shrinkFile(const std::string& path, std::int64_t bytes) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return errno == ENOENT ? Result<>() : failedTo("look at", path);
  if (found.st_size > bytes && ::truncate(path.c_str(), bytes) != 0) return failedTo("shrink", path);
  return {};
}

Result<> removeFile(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failedTo("remove", path);
  const std::string directory = fs::path(path).parent_path();
  // What somebody else has put there keeps the directory; that is no failure.
  if (::rmdir(directory.c_str()) != 0 && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
    return failedTo("remove", directory);
  return {};
}

}  // namespace godwit::storage
