#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

// What guests say on their consoles, written down with the time at which it was heard:
// one line "<monotonic ns> <console file> <words>" for each of theirs.
namespace godwit::guest {

// Puts lines together from the pieces in which they are heard. A guest that moves in the middle of a line ends it in
// the file of another node, and what it began is not the beginning of what it says when it is back.
class Transcript {
 public:
  // Shows each line that the piece ends.
  void hear(const std::string& consoleFile, std::string_view piece,
            const std::function<void(const std::string&)>& show);

 private:
  std::map<std::string, std::string> unfinished_;  // by guest
};

// Follows all console files in the directories, those that appear later too, until SIGTERM or SIGINT.
// What a file held before is left out, for nobody knows when it was said.
Result<> watchConsoles(const std::string& outFile, const std::vector<std::string>& directories);

struct Outage {
  std::vector<std::int64_t> gapsNs = {};  // between two heartbeats of one guest, whichever file they went to; sorted
  std::size_t heartbeats = 0;
  std::size_t errors = 0;  // writes that the guest was told have failed
};

// Guests are told apart by the file name of their console, which is the same wherever they run.
Outage measureOutage(std::istream& lines, std::int64_t sinceNs = 0);

// When each guest was first heard of all, without those that were heard before `sinceNs`: from the file that a watch
// writes, once there are so many.
Result<std::map<std::string, std::int64_t>> awaitFirstHeartbeats(const std::string& file, std::int64_t sinceNs,
                                                                 std::size_t guests);

// The clock that heartbeats are written down by.
std::int64_t monotonicNs();

}  // namespace godwit::guest
