#include "storage/size.hpp"

#include <fmt/format.h>

#include "hypervisor/image_size.hpp"

namespace godwit::storage {

Result<> checkSize(const std::string& volume, const hypervisor::DiskSource& source, std::int64_t bytes) {
  const auto size = TRY(hypervisor::imageSize(source).map_error(
      [&](Error error) { return within("volume " + volume, std::move(error)); }));
  return size ? checkRoom(volume, source.path, *size, bytes) : Result<>();
}

Result<> checkRoom(const std::string& volume, const std::string& path, std::int64_t there, std::int64_t needed) {
  if (there >= needed) return {};
  return fail(Code::Invalid,
              fmt::format("volume {} has {} bytes in {} where {} are needed", volume, there, path, needed));
}

}  // namespace godwit::storage
