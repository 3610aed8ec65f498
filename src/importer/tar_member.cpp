#include "importer/tar_member.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/zeros.hpp"

namespace godwit::importer {
namespace {

constexpr std::int64_t kTarBlock = 512;
constexpr std::int64_t kMostExtension = 1 << 20;

struct Field {
  std::size_t offset, size;
};
constexpr Field kName = {0, 100}, kSize = {124, 12}, kChecksum = {148, 8}, kMagic = {257, 5}, kPrefix = {345, 155};
constexpr std::size_t kType = 156;

std::string textOf(const std::string& block, Field field) {
  const std::string_view whole(block.data() + field.offset, field.size);
  return std::string(whole.substr(0, whole.find('\0')));
}

// Octal digits; or, with the highest bit set, a big-endian number for what has no room in eleven of them.
std::int64_t numberOf(const std::string& block, Field field) {
  const auto first = static_cast<unsigned char>(block[field.offset]);
  std::int64_t number = 0;
  if (first & 0x80) {
    for (std::size_t i = field.size - 8; i < field.size; ++i)
      number = number << 8 | static_cast<unsigned char>(block[field.offset + i]);
    return number;
  }
  for (const char c : textOf(block, field))
    if (c >= '0' && c <= '7') number = number * 8 + (c - '0');
  return number;
}

// Counted as if its own field were blank.
bool hasGoodChecksum(const std::string& block) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const bool own = i >= kChecksum.offset && i < kChecksum.offset + kChecksum.size;
    sum += own ? ' ' : static_cast<unsigned char>(block[i]);
  }
  return sum == numberOf(block, kChecksum);
}

std::string plain(std::string name) {
  while (name.starts_with("./") || name.starts_with("/")) name.erase(0, name.front() == '.' ? 2 : 1);
  return name;
}

}  // namespace

Result<> TarMember::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (left_ > 0) {
      const std::string_view content = bytes.substr(0, static_cast<std::size_t>(left_));
      TRY(takeContent(content));
      bytes.remove_prefix(content.size());
      continue;
    }
    if (padding_ > 0) {
      const auto skipped = std::min<std::int64_t>(padding_, static_cast<std::int64_t>(bytes.size()));
      padding_ -= skipped;
      bytes.remove_prefix(static_cast<std::size_t>(skipped));
      continue;
    }
    const std::string_view more = bytes.substr(0, static_cast<std::size_t>(kTarBlock) - block_.size());
    block_ += more;
    bytes.remove_prefix(more.size());
    if (block_.size() == static_cast<std::size_t>(kTarBlock)) TRY(readHeader());
  }
  return {};
}

Result<> TarMember::finish() const {
  if (left_ > 0 || !block_.empty()) return fail(Code::Invalid, "the tar archive ends too soon");
  return {};
}

Result<> TarMember::readHeader() {
  const std::string block = std::exchange(block_, {});
  // Two empty ones are the end.
  if (isAllZeros(block)) return {};
  if (!hasGoodChecksum(block)) return fail(Code::Invalid, "it is no tar archive, or a damaged one");
  const char type = block[kType];
  left_ = size_ >= 0 ? std::exchange(size_, -1) : numberOf(block, kSize);
  if (left_ < 0) return fail(Code::Invalid, "the tar archive has a file of no size");
  padding_ = (kTarBlock - left_ % kTarBlock) % kTarBlock;
  if (type == 'L' || type == 'x') {
    if (left_ > kMostExtension) return fail(Code::Invalid, "the tar archive has a name that is too long");
    part_ = Part::Extension;
    extends_ = type;
    extension_.clear();
    return {};
  }
  std::string name = std::exchange(name_, {});
  if (name.empty()) {
    const std::string prefix = textOf(block, kMagic) == "ustar" ? textOf(block, kPrefix) : "";
    name = prefix.empty() ? textOf(block, kName) : prefix + "/" + textOf(block, kName);
  }
  name = plain(std::move(name));
  const bool isFile = type == '0' || type == '\0';
  part_ = isFile && found_.empty() && wanted_(name) ? Part::Wanted : Part::Other;
  if (part_ == Part::Wanted) found_ = name;
  return {};
}

Result<> TarMember::takeContent(std::string_view bytes) {
  left_ -= static_cast<std::int64_t>(bytes.size());
  if (part_ == Part::Wanted) return into_(bytes);
  if (part_ != Part::Extension) return {};
  extension_ += bytes;
  if (left_ == 0) readExtension();
  return {};
}

// 'L' is a name; 'x' are lines of "LENGTH KEYWORD=VALUE\n".
void TarMember::readExtension() {
  if (extends_ == 'L') {
    name_ = extension_.substr(0, extension_.find('\0'));
    return;
  }
  std::string_view rest = extension_;
  while (!rest.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const auto digits = static_cast<std::size_t>(end - rest.data());
    if (error != std::errc() || length <= digits || length > rest.size()) return;
    std::string_view line = rest.substr(digits, length - digits);
    rest.remove_prefix(length);
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.starts_with(" path=")) name_ = line.substr(6);
    if (line.starts_with(" size=")) {
      line.remove_prefix(6);
      std::from_chars(line.data(), line.data() + line.size(), size_);
    }
  }
}

}  // namespace godwit::importer
