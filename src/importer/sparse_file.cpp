#include "importer/sparse_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/zeros.hpp"

namespace godwit::importer {
namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::int64_t kCopyAtOnce = 64LL << 20;

Failure failedTo(const char* what, const std::string& path) {
  return fail(Code::Unavailable, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

}  // namespace

Result<SparseFile> SparseFile::create(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failedTo("remove", path);
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return failedTo("create", path);
  return SparseFile(path, std::move(file));
}

Result<> SparseFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t toBoundary = kBlock - static_cast<std::size_t>(end_) % kBlock;
    const std::string_view block = bytes.substr(0, toBoundary);
    if (!isAllZeros(block)) TRY(writeAt(block, end_));
    end_ += static_cast<std::int64_t>(block.size());
    bytes.remove_prefix(block.size());
  }
  return {};
}

Result<> SparseFile::sync() const { return ::fdatasync(file_.number()) == 0 ? Result<>() : failedTo("sync", path_); }

Result<> SparseFile::finish(std::int64_t bytes) {
  if (::ftruncate(file_.number(), bytes) != 0) return failedTo("size", path_);
  if (::fsync(file_.number()) != 0) return failedTo("sync", path_);
  end_ = bytes;
  return {};
}

Result<> SparseFile::writeAt(std::string_view bytes, std::int64_t at) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_.number(), bytes.data(), bytes.size(), at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failedTo("write", path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    at += written;
  }
  return {};
}

Result<std::int64_t> SparseFile::copySome(const Descriptor& from, std::int64_t at, std::int64_t end) {
  off_t data = ::lseek(from.number(), at, SEEK_DATA);
  if (data < 0 && errno == ENXIO) return end;
  if (data < 0) return failedTo("read the original of", path_);
  if (data >= end) return end;
  const off_t hole = std::max<off_t>(::lseek(from.number(), data, SEEK_HOLE), data + 1);
  const std::int64_t length = std::min<std::int64_t>({hole - data, end - data, kCopyAtOnce});
  off_t to = data;
  const ssize_t copied =
      ::copy_file_range(from.number(), &data, file_.number(), &to, static_cast<std::size_t>(length), 0);
  if (copied < 0 && errno != EINTR) return failedTo("copy to", path_);
  return copied == 0 ? end : data;
}

}  // namespace godwit::importer
