#include "storage/qcow2.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "hypervisor/image_size.hpp"
#include "storage/qemu_img.hpp"

namespace godwit::storage {
namespace {

constexpr const char* kFormatName = "qcow2";

Result<> have(const char* verb, const std::vector<std::string>& words, const std::string& path) {
  const QemuImgAnswer answer = TRY(askQemuImg(verb, words));
  if (answer.status == 0) return {};
  return fail(Code::Unavailable, fmt::format("cannot {} {}: {}", verb, path, answer.complaint));
}

Result<> resize(const std::string& path, std::int64_t bytes) {
  return have("resize", {"-q", "--shrink", "-f", kFormatName, path, std::to_string(bytes)}, path);
}

// Nothing when it is not there.
Result<std::optional<std::int64_t>> sizeOfQcow2(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0) return std::nullopt;
  return hypervisor::imageSize({.path = path, .format = kFormatName});
}

}  // namespace

Result<> makeQcow2(const std::string& path, std::int64_t bytes) {
  return have("create", {"-q", "-f", kFormatName, path, std::to_string(bytes)}, path);
}

Result<> growQcow2(const std::string& path, std::int64_t bytes) {
  return TRY(sizeOfQcow2(path)).value_or(bytes) < bytes ? resize(path, bytes) : Result<>();
}

Result<> shrinkQcow2(const std::string& path, std::int64_t bytes) {
  return TRY(sizeOfQcow2(path)).value_or(bytes) > bytes ? resize(path, bytes) : Result<>();
}

Result<bool> isQcow2Blank(const std::string& path) {
  const auto size = TRY(sizeOfQcow2(path));
  if (!size) return true;
  const QemuImgAnswer answer =
      TRY(askQemuImg("compare", {"-f", kFormatName, "-F", "raw", path, qemuNameOfZeros(*size)}));
  if (answer.status <= 1) return answer.status == 0;
  return fail(Code::Unavailable, fmt::format("what is on {} cannot be read: {}", path, answer.complaint));
}

}  // namespace godwit::storage
