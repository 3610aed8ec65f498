#include "mover/patience.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace godwit::mover {
namespace {

using std::chrono::seconds;

constexpr std::int64_t kGibibyte = 1 << 30;

std::string knobsFor(const Options& options) {
  std::vector<std::string> knobs;
  if (options.bandwidthBytesPerSecond > 0) knobs.emplace_back("raise spec.options.bandwidthPerMigration");
  if (!options.autoConverge) knobs.emplace_back("set spec.options.allowAutoConverge for the next attempt");
  if (!options.disruption) knobs.emplace_back("set spec.options.allowPostCopy or allowWorkloadDisruption");
  knobs.emplace_back("allow a longer spec.options.maxDowntimeMs");
  return fmt::format("{}", fmt::join(knobs, ", or "));
}

std::string remainsOf(const Progress& progress) {
  if (progress.memoryTotal == 0 || progress.disksDone < progress.disksTotal)
    return fmt::format("{} of {} of disks are copied", sayBytes(progress.disksDone), sayBytes(progress.disksTotal));
  return fmt::format("{} of {} of memory remain", sayBytes(progress.memoryTotal - progress.memoryDone),
                     sayBytes(progress.memoryTotal));
}

}  // namespace

void Patience::note(const Sample& sample) {
  const auto& copied = sample.copied;
  const bool first = !last_;
  const bool memory = copied.memorySent > 0;
  const bool memoryBegins = memory && !memorySince_;
  const bool gained =
      memory ? memoryBegins || copied.memoryRemaining < lowest_ : first || copied.disksDone != last_->copied.disksDone;
  if (memoryBegins) memorySince_ = sample.at;
  if (gained) {
    lowest_ = copied.memoryRemaining;
    gainedAt_ = sample.at;
  }
  last_ = sample;
}

Lapse Patience::judge(const Options& options, bool held) const {
  if (!last_) return Lapse::None;
  const Timestamp now = last_->at;
  if (options.progressTimeout > 0 && now - gainedAt_ >= seconds(options.progressTimeout)) return Lapse::NoProgress;
  const seconds allowed(options.completionTimeoutPerGiB * gibibytes());
  const bool late = memorySince_ && allowed.count() > 0 && now - *memorySince_ >= allowed;
  return late && !held ? Lapse::CompletionTimeout : Lapse::None;
}

// As KubeVirt counts them: one that is begun is a whole one.
std::int64_t Patience::gibibytes() const { return (last_->copied.memoryTotal + kGibibyte - 1) / kGibibyte; }

std::string Patience::complain(Lapse lapse, const Options& options, const Progress& progress) const {
  const std::string rest = fmt::format("{}; {}/s are copied, and the guest changes {}/s", remainsOf(progress),
                                       sayBytes(progress.bytesPerSecond), sayBytes(progress.dirtyBytesPerSecond));
  switch (lapse) {
    case Lapse::None:
      return "";
    case Lapse::CompletionTimeout:
      return fmt::format("memory had {} s (spec.options.completionTimeoutPerGiB, {} for each GiB): {}. To help, {}",
                         options.completionTimeoutPerGiB * gibibytes(), options.completionTimeoutPerGiB, rest,
                         knobsFor(options));
    case Lapse::NoProgress:
      return fmt::format("nothing has come nearer for {} s (spec.options.progressTimeout): {}. To help, {}",
                         options.progressTimeout, rest, knobsFor(options));
  }
  __builtin_unreachable();
}

std::string adviseOn(const Progress& progress, const Options& options) {
  return fmt::format("the guest changes {}/s of memory, {}/s are copied: {}", sayBytes(progress.dirtyBytesPerSecond),
                     sayBytes(progress.bytesPerSecond), knobsFor(options));
}

}  // namespace godwit::mover
