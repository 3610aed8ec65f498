#pragma once

#include <optional>
#include <string>

#include "mover/options.hpp"
#include "mover/outlook.hpp"
#include "mover/progress.hpp"

namespace godwit::mover {

// What there is to say against going on as before.
enum class Lapse {
  None,
  CompletionTimeout,  // memory has had its time
  NoProgress,         // nothing has come nearer for too long
};

// Watches whether a copy gets anywhere. Memory has a time in which to end, which is counted from its first byte
// on; disks have any time, as long as some of them arrives. A mover that takes over counts anew.
class Patience {
 public:
  void note(const Sample& sample);
  // A guest that is held changes nothing, so its memory gets over; then only a lack of progress counts.
  Lapse judge(const Options& options, bool held) const;
  // The same for people, with what would help.
  std::string complain(Lapse lapse, const Options& options, const Progress& progress) const;

 private:
  std::int64_t gibibytes() const;

  std::optional<Sample> last_;
  std::optional<Timestamp> memorySince_;
  std::int64_t lowest_ = 0;  // of memory that remained
  Timestamp gainedAt_;
};

// What would help a copy that does not converge.
std::string adviseOn(const Progress& progress, const Options& options);

}  // namespace godwit::mover
