#include "importer/unpacker.hpp"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace godwit::importer {
namespace {

constexpr std::size_t kPiece = 1 << 18;
// What `xz -9` needs to be unpacked is 65 MiB.
constexpr std::uint64_t kMostMemory = 256 << 20;

constexpr std::string_view kGzipMagic("\x1f\x8b", 2);
constexpr std::string_view kXzMagic(
    "\xfd"
    "7zXZ\0",
    6);

struct UnknownPacking {
  std::string_view magic;
  std::string_view name;
};
constexpr UnknownPacking kUnknownPackings[] = {
    {"BZh", "bzip2"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"PK\x03\x04", "zip"}, {"7z\xbc\xaf\x27\x1c", "7z"}};

class AsItIs final : public Unpacker::Method {
 public:
  Result<> take(std::string_view packed, const Sink& into) override { return into(packed); }
  Result<> finish(const Sink&) override { return {}; }
};

class Gzip final : public Unpacker::Method {
 public:
  Gzip() {
    constexpr int kWithGzipHeader = 15 + 16;
    ENSURE(inflateInit2(&stream_, kWithGzipHeader) == Z_OK, "there is memory for zlib");
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Result<> take(std::string_view packed, const Sink& into) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    while (stream_.avail_in > 0) {
      // Archives may be written one after the other.
      if (ended_) inflateReset(&stream_);
      stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
      stream_.avail_out = static_cast<uInt>(piece_.size());
      const int state = inflate(&stream_, Z_NO_FLUSH);
      if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
        return fail(Code::Invalid,
                    fmt::format("the gzip data is damaged: {}", stream_.msg ? stream_.msg : "no reason"));
      ended_ = state == Z_STREAM_END;
      TRY(into({piece_.data(), piece_.size() - stream_.avail_out}));
    }
    return {};
  }

  Result<> finish(const Sink&) override {
    return ended_ ? Result<>() : fail(Code::Invalid, "the gzip data ends too soon");
  }

 private:
  z_stream stream_ = {};
  std::vector<char> piece_ = std::vector<char>(kPiece);
  bool ended_ = false;
};

class Xz final : public Unpacker::Method {
 public:
  Xz() {
    ENSURE(lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) == LZMA_OK, "there is memory for liblzma");
  }
  ~Xz() override { lzma_end(&stream_); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;

  Result<> take(std::string_view packed, const Sink& into) override { return run(packed, LZMA_RUN, into); }
  Result<> finish(const Sink& into) override { return run({}, LZMA_FINISH, into); }

 private:
  Result<> run(std::string_view packed, lzma_action action, const Sink& into) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream_.avail_in = packed.size();
    lzma_ret state = LZMA_OK;
    do {
      stream_.next_out = reinterpret_cast<std::uint8_t*>(piece_.data());
      stream_.avail_out = piece_.size();
      state = lzma_code(&stream_, action);
      if (state == LZMA_BUF_ERROR && action == LZMA_FINISH) return fail(Code::Invalid, "the xz data ends too soon");
      if (state == LZMA_MEMLIMIT_ERROR)
        return fail(Code::Invalid, fmt::format("to unpack the xz data takes more than {} MiB", kMostMemory >> 20));
      if (state != LZMA_OK && state != LZMA_STREAM_END && state != LZMA_BUF_ERROR)
        return fail(Code::Invalid, "the xz data is damaged");
      TRY(into({piece_.data(), piece_.size() - stream_.avail_out}));
    } while (state == LZMA_OK && (stream_.avail_in > 0 || stream_.avail_out == 0 || action == LZMA_FINISH));
    return {};
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<char> piece_ = std::vector<char>(kPiece);
};

}  // namespace

Result<> Unpacker::take(std::string_view bytes) {
  if (method_) return method_->take(bytes, into_);
  head_ += bytes;
  return head_.size() < kXzMagic.size() ? Result<>() : begin();
}

Result<> Unpacker::finish() {
  if (!method_) TRY(begin());
  return method_->finish(into_);
}

Result<> Unpacker::begin() {
  for (const auto& [magic, name] : kUnknownPackings)
    if (head_.starts_with(magic))
      return fail(Code::Invalid, fmt::format("it is packed by {}; only gzip and xz are known", name));
  if (head_.starts_with(kGzipMagic))
    method_ = std::make_unique<Gzip>();
  else if (head_.starts_with(kXzMagic))
    method_ = std::make_unique<Xz>();
  else
    method_ = std::make_unique<AsItIs>();
  return method_->take(std::exchange(head_, {}), into_);
}

}  // namespace godwit::importer
