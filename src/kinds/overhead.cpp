#include "kinds/overhead.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace godwit::kinds {
namespace {

constexpr std::int64_t kWhole = 1000;
constexpr std::int64_t kMebibyte = 1 << 20;

// In thousandths; nothing when it is no fraction from 0 to below 1.
std::optional<std::int64_t> parseOverhead(const std::string& text) {
  if (text.empty()) return 0;
  const auto thousandths = parseMilliQuantity(text);
  if (!thousandths || *thousandths < 0 || *thousandths >= kWhole) return std::nullopt;
  return *thousandths;
}

std::int64_t overheadOf(const PersistentVolume& volume) {
  if (volume.spec.volumeMode != kVolumeModeFilesystem) return 0;
  return parseOverhead(object::valueOf(volume.metadata.annotations, kOverheadAnnotation)).value_or(0);
}

}  // namespace

Result<std::int64_t> overheadOf(const StorageClass& storageClass) {
  const std::string said = object::valueOf(storageClass.metadata.annotations, kOverheadAnnotation);
  if (const auto overhead = parseOverhead(said)) return *overhead;
  return fail(Code::Invalid, fmt::format("storage class {} has the annotation {} '{}', which is not a fraction from 0 "
                                         "to below 1, such as 0.06",
                                         storageClass.metadata.name, kOverheadAnnotation, said));
}

std::int64_t withoutOverhead(std::int64_t bytes, std::int64_t overhead) {
  if (overhead == 0) return bytes;
  const std::int64_t kept = kWhole - overhead;
  const std::int64_t left = bytes / kWhole * kept + bytes % kWhole * kept / kWhole;
  return left / kMebibyte * kMebibyte;
}

std::int64_t withOverhead(std::int64_t bytes, std::int64_t overhead) {
  if (overhead == 0) return bytes;
  const std::int64_t kept = kWhole - overhead;
  const std::int64_t image = (bytes + kMebibyte - 1) / kMebibyte * kMebibyte;
  return image / kept * kWhole + (image % kept * kWhole + kept - 1) / kept;
}

std::int64_t roomOn(const PersistentVolume& volume) {
  return withoutOverhead(storageBytes(volume.spec.capacity), overheadOf(volume));
}

std::int64_t capacityFor(const PersistentVolume& volume, std::int64_t room) {
  return withOverhead(room, overheadOf(volume));
}

std::int64_t roomAskedFor(const PersistentVolumeClaim& claim, const StorageClass* storageClass) {
  const bool hasFilesystem = claim.spec.volumeMode == kVolumeModeFilesystem;
  const std::int64_t overhead = storageClass && hasFilesystem ? overheadOf(*storageClass).value_or(0) : 0;
  return withoutOverhead(storageBytes(claim.spec.resources.requests), overhead);
}

}  // namespace godwit::kinds
