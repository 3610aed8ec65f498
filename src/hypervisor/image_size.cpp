#include "hypervisor/image_size.hpp"

#include <endian.h>
#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "base/descriptor.hpp"

namespace godwit::hypervisor {

Result<std::optional<std::int64_t>> imageSize(const DiskSource& source) {
  if (source.type == DiskSource::Type::Network) return std::nullopt;
  const Descriptor file(open(source.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail(Code::Invalid, fmt::format("cannot open {}: {}", source.path, std::strerror(errno)));
  if (source.format == "raw") return lseek(file.number(), 0, SEEK_END);
  if (source.format != "qcow2") return std::nullopt;
  constexpr std::string_view kMagic = "QFI\xfb";
  constexpr std::size_t kVirtualSizeAt = 24;
  std::uint64_t size = 0;
  std::array<char, kVirtualSizeAt + sizeof size> head = {};
  if (pread(file.number(), head.data(), head.size(), 0) != ssize_t(head.size()) ||
      std::string_view(head.data(), kMagic.size()) != kMagic)
    return fail(Code::Invalid, fmt::format("{} is no qcow2 image", source.path));
  std::memcpy(&size, head.data() + kVirtualSizeAt, sizeof size);
  return static_cast<std::int64_t>(be64toh(size));
}

}  // namespace godwit::hypervisor
