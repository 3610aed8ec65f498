#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/result.hpp"
#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::schema {

namespace report {
inline constexpr std::chrono::seconds kPause(1);

Result<Descriptor> open(const std::string& path);
bool append(const Descriptor& file, const json::value& line);
// The last line that is whole; nothing when there is none.
std::optional<object::Document> lastLine(const std::string& path);
}  // namespace report

// Lines of JSON in a file that say how far a process is: one for every new stage, and in between
// at most one per second, when there is something new.
template <class Progress>
class Report {
 public:
  static Result<Report> open(const std::string& path, const Clock& clock) {
    return Report(TRY(report::open(path)), clock);
  }

  // Nobody's work depends on a line: what cannot be written is left out.
  void note(const Progress& progress) {
    if (!isWorthALine(progress) || !report::append(file_, write(progress))) return;
    last_ = progress;
    writtenAt_ = clock_.now();
  }

 private:
  Report(Descriptor file, const Clock& clock) : file_(std::move(file)), clock_(clock) {}

  bool isWorthALine(const Progress& progress) const {
    if (!last_ || progress.stage != last_->stage) return true;
    return progress != *last_ && clock_.now() - writtenAt_ >= report::kPause;
  }

  Descriptor file_;
  const Clock& clock_;
  std::optional<Progress> last_;
  Timestamp writtenAt_;
};

// The last line of a report that somebody else may be writing; nothing when there is none yet.
template <class Progress>
std::optional<Progress> readLastReport(const std::string& path) {
  const auto line = report::lastLine(path);
  if (!line) return std::nullopt;
  const auto progress = parse<Progress>(*line);
  return progress ? std::optional(*progress) : std::nullopt;
}

}  // namespace godwit::schema
