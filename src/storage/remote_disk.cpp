#include "storage/remote_disk.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "object/document.hpp"
#include "storage/place.hpp"
#include "storage/qemu_img.hpp"

namespace godwit::storage {
namespace {

constexpr std::int64_t kHead = 256 << 20;
constexpr std::int64_t kTail = 4 << 20;
// Of `qemu-img compare`.
constexpr int kEqual = 0;
constexpr int kDifferent = 1;
// A guest may have the disk open: it is only looked at.
constexpr const char* kOnlyLook = "--force-share";

const std::string* passwordFor(const hypervisor::DiskSource& source, const std::string& password) {
  return source.remote.login ? &password : nullptr;
}

Result<bool> readsAsZeros(const hypervisor::DiskSource& source, const std::string& password, const Stretch& stretch) {
  if (stretch.length == 0) return true;
  const QemuImgAnswer answer =
      TRY(askQemuImg("compare", {kOnlyLook, Place::of(source).qemuName(stretch), qemuNameOfZeros(stretch.length)},
                     passwordFor(source, password)));
  if (answer.status == kEqual || answer.status == kDifferent) return answer.status == kEqual;
  return fail(Code::Unavailable, fmt::format("what is on it cannot be read: {}", answer.complaint));
}

// What an image names is opened with it, wherever that leads; and it may be the bytes of somebody else.
Result<> checkStandsAlone(const json::object& image) {
  const std::string under = object::textAt(image, {"backing-filename"});
  const std::string beside = object::textAt(image, {"format-specific", "data", "data-file"});
  if (under.empty() && beside.empty()) return {};
  return fail(Code::Invalid, fmt::format("the image does not stand alone: it needs {}; copy it with qemu-img convert",
                                         under.empty() ? beside : under));
}

Result<std::int64_t> readSize(const std::string& said, const char* which) {
  boost::system::error_code unreadable;
  const json::value read = json::parse(said, unreadable);
  const json::object* found = unreadable ? nullptr : read.if_object();
  if (found) TRY(checkStandsAlone(*found));
  const json::value* size = found ? found->if_contains(which) : nullptr;
  if (!size || !size->is_int64()) return fail(Code::Unavailable, "qemu-img tells no size");
  return size->get_int64();
}

Result<std::string> infoOf(const hypervisor::DiskSource& source, const std::string& password) {
  QemuImgAnswer answer = TRY(
      askQemuImg("info", {"--output=json", kOnlyLook, Place::of(source).qemuName()}, passwordFor(source, password)));
  if (answer.status != 0) return fail(Code::Unavailable, fmt::format("its size cannot be told: {}", answer.complaint));
  return std::move(answer.said);
}

}  // namespace

Result<std::int64_t> readVirtualSize(const std::string& said) { return readSize(said, "virtual-size"); }

Result<std::int64_t> measureRemote(const hypervisor::DiskSource& source, const std::string& password) {
  return readVirtualSize(TRY(infoOf(source, password)));
}

Result<std::int64_t> roomOfRemote(const hypervisor::DiskSource& source) {
  return readSize(TRY(infoOf(source, "")), "actual-size");
}

Result<> resizeRemote(const hypervisor::DiskSource& source, std::int64_t bytes) {
  const QemuImgAnswer answer = TRY(askQemuImg(
      "resize", {"-q", "--shrink", "-f", source.format, Place::of(source).qemuName(), std::to_string(bytes)}));
  if (answer.status == 0) return {};
  return fail(Code::Unavailable, fmt::format("its size cannot be changed: {}", answer.complaint));
}

Result<bool> isRemoteBlank(const hypervisor::DiskSource& source, const std::string& password) {
  const std::int64_t size = TRY(measureRemote(source, password));
  const std::int64_t head = std::min(size, kHead);
  const std::int64_t tail = std::max(head, size - kTail);
  if (!TRY(readsAsZeros(source, password, {0, head}))) return false;
  return readsAsZeros(source, password, {tail, size - tail});
}

}  // namespace godwit::storage
