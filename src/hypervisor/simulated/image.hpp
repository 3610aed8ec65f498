#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace godwit::hypervisor::simulated {

// A disk image as its guest fills it: record n goes to slot n modulo the number of slots.
class SimulatedImage {
 public:
  static constexpr std::size_t kSlots = 16;

  explicit SimulatedImage(std::int64_t size = 0) : size_(size) {}

  std::int64_t size() const { return size_; }
  void grow(std::int64_t size) { size_ = std::max(size_, size); }
  void write(std::uint64_t record) { slots_[record % kSlots] = record; }
  // Takes over what `other` holds in its bytes from `from` up to `to`.
  void copyFrom(const SimulatedImage& other, std::int64_t from, std::int64_t to);

  // The first byte from `from` up to `to` at which the two hold something else.
  std::optional<std::int64_t> firstDifference(const SimulatedImage& other, std::int64_t from, std::int64_t to) const;

  std::uint64_t newestRecord() const;
  // Whether each slot holds what a guest that wrote all records up to the newest has left in it.
  bool isWhole() const;

  // Who wrote last, and in which step: two writers in one step are two running copies.
  std::string writer;
  std::uint64_t writtenAt = 0;

 private:
  std::size_t slotAt(std::int64_t byte) const;

  std::int64_t size_;
  std::array<std::uint64_t, kSlots> slots_{};
};

// All images, by the host that alone reaches them, or of no host when all reach them.
class SimulatedImages {
 public:
  void create(const std::string& host, const std::string& path, std::int64_t size);
  void remove(const std::string& host, const std::string& path);
  // What a host finds under a path: its own image before one that all reach; null when there is neither.
  SimulatedImage* find(const std::string& host, const std::string& path);
  const SimulatedImage* find(const std::string& host, const std::string& path) const;

 private:
  std::map<std::pair<std::string, std::string>, SimulatedImage> images_;
};

}  // namespace godwit::hypervisor::simulated
