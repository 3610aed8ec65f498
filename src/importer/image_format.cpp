#include "importer/image_format.hpp"

#include <endian.h>

#include <cstring>

#include <fmt/format.h>

namespace godwit::importer {
namespace {

// The header of qcow2, as QEMU's docs/interop/qcow2.txt has it; numbers are big-endian.
constexpr std::string_view kQcow2Magic = "QFI\xfb";
constexpr std::size_t kVersionAt = 4;
constexpr std::size_t kBackingFileAt = 8;
constexpr std::size_t kVirtualSizeAt = 24;
constexpr std::size_t kEncryptionAt = 32;
constexpr std::size_t kVersion2Length = 72;
constexpr std::size_t kIncompatibleFeaturesAt = 72;
constexpr std::size_t kVersion3Length = 104;
constexpr std::uint64_t kDirty = 1 << 0;
constexpr std::uint64_t kExternalData = 1 << 2;
constexpr std::uint64_t kCompressionType = 1 << 3;
constexpr std::uint64_t kExtendedEntries = 1 << 4;

struct OtherFormat {
  std::size_t at;
  std::string_view magic;
  std::string_view name;
};
constexpr OtherFormat kOtherFormats[] = {
    {0, "KDMV", "VMDK"},    {0, "# Disk DescriptorFile", "VMDK"}, {0, "vhdxfile", "VHDX"},
    {0, "conectix", "VHD"}, {64, "\x7f\x10\xda\xbe", "VDI"},      {0, std::string_view("QED\0", 4), "QED"}};

template <class Number>
Number numberAt(std::string_view head, std::size_t at) {
  Number number = 0;
  std::memcpy(&number, head.data() + at, sizeof number);
  if constexpr (sizeof number == 8) return be64toh(number);
  return be32toh(static_cast<std::uint32_t>(number));
}

Result<ImageFormat> readQcow2(std::string_view head) {
  if (head.size() < kVersion2Length) return fail(Code::Invalid, "the qcow2 image ends within its header");
  const auto version = numberAt<std::uint32_t>(head, kVersionAt);
  if (version != 2 && version != 3) return fail(Code::Invalid, fmt::format("qcow2 version {} is not known", version));
  if (numberAt<std::uint64_t>(head, kBackingFileAt) != 0)
    return fail(Code::Invalid, "the qcow2 image has a backing file; flatten it with qemu-img convert first");
  if (numberAt<std::uint32_t>(head, kEncryptionAt) != 0) return fail(Code::Invalid, "the qcow2 image is encrypted");
  if (version == 3) {
    if (head.size() < kVersion3Length) return fail(Code::Invalid, "the qcow2 image ends within its header");
    const auto features = numberAt<std::uint64_t>(head, kIncompatibleFeaturesAt);
    if (features & kExternalData)
      return fail(Code::Invalid,
                  "the qcow2 image keeps its data in another file; flatten it with qemu-img convert first");
    if (features & ~(kDirty | kCompressionType | kExtendedEntries))
      return fail(Code::Invalid, "the qcow2 image is damaged, or has features that are not known");
  }
  const auto size = numberAt<std::uint64_t>(head, kVirtualSizeAt);
  if (size > static_cast<std::uint64_t>(INT64_MAX))
    return fail(Code::Invalid, "the qcow2 image has an impossible size");
  return ImageFormat{.isQcow2 = true, .virtualBytes = static_cast<std::int64_t>(size)};
}

}  // namespace

Result<ImageFormat> recognise(std::string_view head) {
  if (head.starts_with(kQcow2Magic)) return readQcow2(head);
  for (const auto& [at, magic, name] : kOtherFormats)
    if (head.size() > at && head.substr(at).starts_with(magic))
      return fail(Code::Invalid, fmt::format("it is a {} image; only raw and qcow2 are known", name));
  return ImageFormat{};
}

}  // namespace godwit::importer
