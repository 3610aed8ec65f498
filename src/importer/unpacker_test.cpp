#include "importer/unpacker.hpp"

#include <lzma.h>
#include <zlib.h>

#include <gtest/gtest.h>

namespace godwit::importer {
namespace {

std::string gzip(const std::string& plain) {
  z_stream stream = {};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string xz(const std::string& plain) {
  std::string packed(lzma_stream_buffer_bound(plain.size()), '\0');
  std::size_t length = 0;
  lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(plain.data()),
                          plain.size(), reinterpret_cast<std::uint8_t*>(packed.data()), &length, packed.size());
  packed.resize(length);
  return packed;
}

// A text long enough to need several pieces.
std::string longText() {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + " ";
  return text;
}

Result<std::string> unpack(std::string_view packed, std::size_t piece) {
  std::string plain;
  Unpacker unpacker([&](std::string_view bytes) -> Result<> {
    plain += bytes;
    return {};
  });
  for (; !packed.empty(); packed.remove_prefix(std::min(piece, packed.size())))
    TRY(unpacker.take(packed.substr(0, piece)));
  TRY(unpacker.finish());
  return plain;
}

TEST(Unpacker, UnpacksGzipAndXzAndPassesOnTheRest) {
  const std::string text = longText();
  for (const std::size_t piece : {std::size_t{1'000'000}, std::size_t{4097}}) {
    EXPECT_EQ(unpack(text, piece), text);
    EXPECT_EQ(unpack(gzip(text), piece), text);
    EXPECT_EQ(unpack(xz(text), piece), text);
  }
}

TEST(Unpacker, TellsByTheFirstBytesHoweverTheyCome) {
  EXPECT_EQ(unpack(gzip("hello"), 1), "hello");
  EXPECT_EQ(unpack(xz("hello"), 1), "hello");
  EXPECT_EQ(unpack("abc", 1), "abc");
  EXPECT_EQ(unpack("", 1), "");
}

TEST(Unpacker, TakesArchivesOneAfterTheOther) {
  EXPECT_EQ(unpack(gzip("hel") + gzip("lo"), 7), "hello");
  EXPECT_EQ(unpack(xz("hel") + xz("lo"), 7), "hello");
}

TEST(Unpacker, RefusesWhatEndsTooSoon) {
  for (std::string packed : {gzip(longText()), xz(longText())}) {
    packed.resize(packed.size() / 2);
    EXPECT_EQ(unpack(packed, 4096).error().code, Code::Invalid);
  }
}

TEST(Unpacker, RefusesDamage) {
  for (std::string packed : {gzip(longText()), xz(longText())}) {
    for (std::size_t at = packed.size() / 2; at < packed.size() / 2 + 64; ++at) packed[at] = 'x';
    EXPECT_EQ(unpack(packed, 4096).error().code, Code::Invalid);
  }
}

TEST(Unpacker, NamesAPackingItDoesNotKnow) {
  EXPECT_EQ(unpack("BZh91AY", 100).error().message, "it is packed by bzip2; only gzip and xz are known");
}

}  // namespace
}  // namespace godwit::importer
