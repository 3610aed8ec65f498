#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

// What the test guest (boot.S) leaves on its disk, and whether all of it is there.
namespace godwit::guest {

struct GuestParameters {
  std::uint32_t base = 64;             // first sector of the records
  std::uint32_t slots = 1024;          // sectors, written in turn
  std::uint16_t timerDivisor = 11932;  // of 1193182 Hz: 100 ticks a second
  std::uint16_t pace = 1;              // ticks between records; 0: none
  std::uint32_t memoryPages = 0;       // that the guest fills, above the first MiB
  std::uint32_t dirtyPages = 0;        // of them, touched again with every record
  std::uint32_t disks = 1;             // that each record is written to, from the first on

  bool operator==(const GuestParameters&) const = default;
};

// Puts the guest on a raw image: a file, made if need be, of at least `size` bytes, or a device.
Result<> install(const std::string& image, std::int64_t size, const GuestParameters& parameters);

struct Verdict {
  std::uint32_t last = 0;          // the newest record
  std::vector<std::uint32_t> bad;  // slots that do not hold what they must once it was written
};

// Reads the records of a raw image, from where its boot sector says they are. Invalid when no guest is on it. A guest
// may be writing: what seems to be wrong is looked at again, because a record may have come in parts, or after its
// place was read and before its successor's was.
Result<Verdict> verify(const std::string& image);

}  // namespace godwit::guest
