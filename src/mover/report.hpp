#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/result.hpp"
#include "mover/progress.hpp"

namespace godwit::mover {

// Lines of JSON in a file that say how far a move is: one for every new stage, and in between
// at most one per second, when there is something new.
class Report {
 public:
  static Result<Report> open(const std::string& path, const Clock& clock);

  // Nobody's move depends on a line: what cannot be written is left out.
  void note(const Progress& progress);

 private:
  Report(Descriptor file, const Clock& clock) : file_(std::move(file)), clock_(clock) {}
  bool isWorthALine(const Progress& progress) const;

  Descriptor file_;
  const Clock& clock_;
  std::optional<Progress> last_;
  Timestamp writtenAt_;
};

// The last line of a report that somebody else may be writing; nothing when there is none yet.
std::optional<Progress> readLastReport(const std::string& path);

}  // namespace godwit::mover
