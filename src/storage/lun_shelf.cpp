#include "storage/lun_shelf.hpp"

#include <sys/stat.h>

#include <filesystem>

#include <fmt/format.h>

#include "kinds/lun.hpp"
#include "storage/size.hpp"
#include "storage/sparse_file.hpp"

namespace godwit::storage {

namespace fs = std::filesystem;

LunShelf::LunShelf(std::string directory, const std::string& control)
    : directory_(std::move(directory)), daemon_(control, directory_ + "/tgtadm.out") {}

std::string LunShelf::fileOf(const std::string& volume) const { return directory_ + "/" + volume + "/disk.img"; }

Result<FileLock> LunShelf::takeTurn() const {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot make {}: {}", directory_, error.message()));
  auto lock = TRY(FileLock::take(directory_ + "/lock"));
  if (!lock) return fail(Code::Conflict, fmt::format("another process is at work in {}", directory_));
  return std::move(*lock);
}

Result<> LunShelf::serve(const std::string& volume) const {
  return daemon_.serve(kinds::lunTarget(volume), fileOf(volume));
}

Result<> LunShelf::ensure(const std::string& volume, std::int64_t bytes) {
  const FileLock turn = TRY(takeTurn());
  TRY(ensureSparseFile(fileOf(volume), wholeSectors(bytes)));
  TRY(checkSize(volume, {.path = fileOf(volume)}, bytes));
  return serve(volume);
}

Result<> LunShelf::grow(const std::string& volume, std::int64_t bytes) {
  const FileLock turn = TRY(takeTurn());
  struct stat found = {};
  if (::stat(fileOf(volume).c_str(), &found) != 0 || found.st_size >= bytes) return {};
  TRY(daemon_.withdraw(kinds::lunTarget(volume), Tgt::InUse::Refuse));
  TRY(growFile(fileOf(volume), wholeSectors(bytes)));
  return serve(volume);
}

Result<> LunShelf::shrink(const std::string& volume, std::int64_t bytes) {
  const FileLock turn = TRY(takeTurn());
  struct stat found = {};
  if (::stat(fileOf(volume).c_str(), &found) != 0 || found.st_size <= wholeSectors(bytes)) return {};
  TRY(daemon_.withdraw(kinds::lunTarget(volume), Tgt::InUse::Refuse));
  TRY(shrinkFile(fileOf(volume), wholeSectors(bytes)));
  return serve(volume);
}

Result<> LunShelf::remove(const std::string& volume) {
  const FileLock turn = TRY(takeTurn());
  TRY(daemon_.withdraw(kinds::lunTarget(volume), Tgt::InUse::Ignore));
  return removeFile(fileOf(volume));
}

Result<> LunShelf::serveAll() {
  const FileLock turn = TRY(takeTurn());
  TRY(daemon_.targets());  // a daemon that does not answer yet is not done when there is nothing to serve
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory_, error))
    if (const std::string volume = entry.path().filename(); fs::exists(fileOf(volume))) TRY(serve(volume));
  if (error) return fail(Code::Unavailable, fmt::format("cannot read {}: {}", directory_, error.message()));
  return {};
}

}  // namespace godwit::storage
