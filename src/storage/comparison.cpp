#include "storage/comparison.hpp"

#include <charconv>

#include <fmt/format.h>

#include "storage/qemu_img.hpp"

namespace godwit::storage {
namespace {

constexpr Duration kComparisonPatience = std::chrono::seconds(60);
constexpr int kEqual = 0, kDifferent = 1;

// "Content mismatch at offset 512!"
Result<std::int64_t> offsetIn(std::string_view said) {
  constexpr std::string_view kBefore = " offset ";
  std::int64_t offset = 0;
  const std::size_t at = said.find(kBefore);
  const char* const digits = at == std::string_view::npos ? nullptr : said.data() + at + kBefore.size();
  if (!digits || std::from_chars(digits, said.data() + said.size(), offset).ec != std::errc())
    return fail(Code::Internal, fmt::format("qemu-img does not say where the disks differ: {}", said));
  return offset;
}

}  // namespace

Result<std::optional<std::int64_t>> firstDifference(const hypervisor::DiskSource& left,
                                                    const hypervisor::DiskSource& right, const Stretch& stretch) {
  for (const auto* disk : {&left, &right})
    if (disk->remote.login)
      return fail(Code::Invalid,
                  fmt::format("{} is read by a login whose password only its guest's hypervisor knows", disk->path));
  const std::vector<std::string> question = {"--force-share", "-T", "none", Place::of(left).qemuName(stretch),
                                             Place::of(right).qemuName(stretch)};
  const QemuImgAnswer answer = TRY(askQemuImg("compare", question, nullptr, kComparisonPatience));
  if (answer.status == kEqual) return std::nullopt;
  if (answer.status != kDifferent)
    return fail(Code::Unavailable, fmt::format("the copies cannot be read: {}", answer.complaint));
  return stretch.from + TRY(offsetIn(answer.said));
}

}  // namespace godwit::storage
