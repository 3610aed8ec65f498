#include "importer/arrival.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace godwit::importer {
namespace {

// qcow2 needs little more room than the disk has; what needs more is an attack, or has snapshots in it.
constexpr std::int64_t kQcow2Extra = 64LL << 20;

}  // namespace

Result<> checkFits(std::int64_t image, std::int64_t volume) {
  if (image <= volume) return {};
  return fail(Code::Invalid, fmt::format("the image is larger than the volume: {} ({} bytes) where {} ({} bytes) fit",
                                         formatBytes(image), image, formatBytes(volume), volume));
}

Result<ImageFormat> Arrival::finish() {
  TRY(unpacker_.finish());
  if (file_.size() == 0) return fail(Code::Invalid, "it is empty");
  if (!format_) TRY(look());
  TRY(checkFits(file_.size(), mostBytes()));
  // Zeros at its end were not written.
  TRY(file_.finish(file_.size()));
  return *format_;
}

Result<> Arrival::keep(std::string_view bytes) {
  if (head_.size() < kImageHead) head_ += bytes.substr(0, kImageHead - head_.size());
  TRY(file_.append(bytes));
  if (!format_ && head_.size() == kImageHead) TRY(look());
  return format_ ? checkFits(file_.size(), mostBytes()) : Result<>();
}

Result<> Arrival::look() {
  format_ = TRY(recognise(head_));
  return checkFits(format_->virtualBytes, volumeBytes_);
}

std::int64_t Arrival::mostBytes() const { return format_->isQcow2 ? 2 * volumeBytes_ + kQcow2Extra : volumeBytes_; }

}  // namespace godwit::importer
