#include "hypervisor/simulated/image.hpp"

#include <algorithm>

namespace godwit::hypervisor::simulated {

std::size_t SimulatedImage::slotAt(std::int64_t byte) const {
  if (size_ == 0) return kSlots;
  return static_cast<std::size_t>(byte * static_cast<std::int64_t>(kSlots) / size_);
}

void SimulatedImage::copyFrom(const SimulatedImage& other, std::int64_t from, std::int64_t to) {
  for (std::size_t slot = slotAt(from); slot < slotAt(to); ++slot) slots_[slot] = other.slots_[slot];
}

std::optional<std::int64_t> SimulatedImage::firstDifference(const SimulatedImage& other, std::int64_t from,
                                                            std::int64_t to) const {
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const auto number = static_cast<std::int64_t>(slot), slots = static_cast<std::int64_t>(kSlots);
    const std::int64_t begin = number * size_ / slots, end = (number + 1) * size_ / slots;
    if (slots_[slot] != other.slots_[slot] && begin < to && from < end) return std::max(from, begin);
  }
  return std::nullopt;
}

std::uint64_t SimulatedImage::newestRecord() const { return *std::max_element(slots_.begin(), slots_.end()); }

bool SimulatedImage::isWhole() const {
  const std::uint64_t newest = newestRecord();
  SimulatedImage expected(size_);
  for (std::uint64_t record = newest < kSlots ? 1 : newest - kSlots + 1; record <= newest; ++record)
    expected.write(record);
  return slots_ == expected.slots_;
}

void SimulatedImages::create(const std::string& host, const std::string& path, std::int64_t size) {
  images_.insert_or_assign({host, path}, SimulatedImage(size));
}

void SimulatedImages::remove(const std::string& host, const std::string& path) { images_.erase({host, path}); }

SimulatedImage* SimulatedImages::find(const std::string& host, const std::string& path) {
  return const_cast<SimulatedImage*>(std::as_const(*this).find(host, path));
}

const SimulatedImage* SimulatedImages::find(const std::string& host, const std::string& path) const {
  for (const std::string& reach : {host, std::string()})
    if (const auto found = images_.find({reach, path}); found != images_.end()) return &found->second;
  return nullptr;
}

}  // namespace godwit::hypervisor::simulated
