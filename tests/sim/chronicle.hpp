#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace godwit::sim {

// All that happens in one simulation, in order: as a number, which is equal for equal histories, and as lines for
// whoever wants to read them.
class Chronicle {
 public:
  void tell(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
      digest_ = (digest_ ^ std::hash<std::string_view>()(word)) * 0x100000001b3ULL;
    if (!reader_) return;
    std::string line;
    for (const std::string_view word : words)
      if (!word.empty()) line.append(line.empty() ? "" : " ").append(word);
    reader_(line);
  }

  void readBy(std::function<void(const std::string& line)> reader) { reader_ = std::move(reader); }
  std::uint64_t digest() const { return digest_; }

 private:
  std::uint64_t digest_ = 0;
  std::function<void(const std::string&)> reader_;
};

}  // namespace godwit::sim
