#pragma once

#include <endian.h>

#include <cstdint>
#include <cstring>
#include <string>

// The words of the NBD protocol, as far as somebody in the middle needs them. They are big-endian all over.
namespace godwit::hypervisor::nbd {

template <class Word>
Word wordAt(const std::string& message, std::size_t offset) {
  Word word = 0;
  std::memcpy(&word, message.data() + offset, sizeof word);
  if constexpr (sizeof word == sizeof(std::uint16_t)) return be16toh(word);
  if constexpr (sizeof word == sizeof(std::uint32_t)) return be32toh(word);
  if constexpr (sizeof word == sizeof(std::uint64_t)) return be64toh(word);
}

template <class Word>
void add(std::string& message, Word word) {
  Word big = 0;
  if constexpr (sizeof word == sizeof(std::uint16_t)) big = htobe16(word);
  if constexpr (sizeof word == sizeof(std::uint32_t)) big = htobe32(word);
  if constexpr (sizeof word == sizeof(std::uint64_t)) big = htobe64(word);
  message.append(reinterpret_cast<const char*>(&big), sizeof big);
}

inline constexpr std::size_t kGreetingBytes = 18, kFlagsBytes = 4;
inline constexpr std::uint32_t kLongestWord = 64 << 10, kLongestData = 64 << 20;

// What a client wishes: magic, which wish, length, what about it.
inline constexpr std::size_t kOptionBytes = 16;
enum Option : std::uint32_t { kExportName = 1, kAbort = 2, kStartTls = 5, kGo = 7, kStructured = 8, kExtended = 11 };

// What the server says to that: magic, which wish, what, length, more about it.
inline constexpr std::uint64_t kAnswerMagic = 0x3e889045565a9;
inline constexpr std::size_t kAnswerBytes = 20;
inline constexpr std::uint32_t kAck = 1, kInfo = 3, kErrorBit = 1U << 31, kUnsupported = kErrorBit + 1;
inline constexpr std::uint16_t kInfoExport = 0;

// What is to be done: magic, flags, what, handle, where, how much.
inline constexpr std::uint32_t kRequestMagic = 0x25609513;
inline constexpr std::size_t kRequestBytes = 28;
enum Deed : std::uint16_t { kRead = 0, kWrite = 1, kDisconnect = 2, kWriteZeroes = 6 };
inline constexpr std::uint16_t kFast = 1 << 4;

// What became of that: magic, error, handle.
inline constexpr std::uint32_t kReplyMagic = 0x67446698;
inline constexpr std::size_t kReplyBytes = 16;

struct Request {
  std::uint16_t flags = 0;
  std::uint16_t deed = 0;
  std::uint64_t handle = 0;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;

  static Request in(const std::string& message) {
    return {wordAt<std::uint16_t>(message, 4), wordAt<std::uint16_t>(message, 6), wordAt<std::uint64_t>(message, 8),
            wordAt<std::uint64_t>(message, 16), wordAt<std::uint32_t>(message, 24)};
  }
  std::string words() const {
    std::string message;
    add(message, kRequestMagic);
    add(message, flags);
    add(message, deed);
    add(message, handle);
    add(message, offset);
    add(message, length);
    return message;
  }
};

inline std::string replyTo(std::uint64_t handle, std::uint32_t error) {
  std::string message;
  add(message, kReplyMagic);
  add(message, error);
  add(message, handle);
  return message;
}

}  // namespace godwit::hypervisor::nbd
