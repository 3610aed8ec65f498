#include "storage/blank.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/descriptor.hpp"
#include "base/failed_to.hpp"
#include "base/zeros.hpp"

namespace godwit::storage {
namespace {

constexpr off_t kPiece = 1 << 20;
constexpr off_t kEndsOfDevice = 4 * kPiece;
constexpr std::int64_t kUsualSector = 512;

struct Extent {
  off_t begin = 0;
  off_t end = 0;
};

Result<bool> isZero(const Descriptor& file, const std::string& path, Extent extent) {
  std::vector<char> piece(static_cast<std::size_t>(kPiece));
  for (off_t at = extent.begin; at < extent.end;) {
    const auto wanted = static_cast<std::size_t>(std::min(kPiece, extent.end - at));
    const ssize_t read = ::pread(file.number(), piece.data(), wanted, at);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return failedTo("read", path);
    if (read == 0) break;
    if (!isAllZeros({piece.data(), static_cast<std::size_t>(read)})) return false;
    at += read;
  }
  return true;
}

// What is not allocated is not read.
Result<bool> isFileBlank(const Descriptor& file, const std::string& path, off_t size) {
  for (off_t at = 0; at < size;) {
    const off_t begin = ::lseek(file.number(), at, SEEK_DATA);
    if (begin < 0 && errno == ENXIO) return true;
    const off_t end = begin < 0 ? begin : ::lseek(file.number(), begin, SEEK_HOLE);
    if (end < 0) return failedTo("look through", path);
    if (!TRY(isZero(file, path, {begin, end}))) return false;
    at = end;
  }
  return true;
}

}  // namespace

Result<bool> isBlank(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file && errno == ENOENT) return true;
  if (!file) return failedTo("open", path);
  struct stat found = {};
  if (::fstat(file.number(), &found) != 0) return failedTo("look at", path);
  if (!S_ISBLK(found.st_mode)) return isFileBlank(file, path, found.st_size);
  const off_t size = ::lseek(file.number(), 0, SEEK_END);
  const off_t head = std::min(size, kEndsOfDevice);
  if (!TRY(isZero(file, path, {0, head}))) return false;
  return isZero(file, path, {std::max(head, size - kEndsOfDevice), size});
}

Result<std::int64_t> sectorBytes(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return errno == ENOENT ? Result<std::int64_t>(kUsualSector) : failedTo("open", path);
  struct stat found = {};
  if (::fstat(file.number(), &found) != 0) return failedTo("look at", path);
  if (!S_ISBLK(found.st_mode)) return kUsualSector;
  int bytes = 0;
  if (::ioctl(file.number(), BLKSSZGET, &bytes) != 0) return failedTo("measure the sectors of", path);
  return bytes;
}

}  // namespace godwit::storage
