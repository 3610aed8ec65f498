#include "hypervisor/image_size.hpp"

#include <endian.h>
#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/descriptor.hpp"

namespace godwit::hypervisor {

Result<std::optional<std::int64_t>> imageSize(const DiskSource& source) {
  if (source.type == DiskSource::Type::Network) return std::nullopt;
  const Descriptor file(open(source.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail(Code::Invalid, fmt::format("cannot open {}: {}", source.path, std::strerror(errno)));
  if (source.format == "raw") return lseek(file.number(), 0, SEEK_END);
  if (source.format != "qcow2") return std::nullopt;
  constexpr off_t kVirtualSizeAt = 24;
  std::uint64_t size = 0;
  if (pread(file.number(), &size, sizeof size, kVirtualSizeAt) != sizeof size)
    return fail(Code::Invalid, fmt::format("{} is no qcow2 image", source.path));
  return static_cast<std::int64_t>(be64toh(size));
}

}  // namespace godwit::hypervisor
