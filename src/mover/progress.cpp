#include "mover/progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace godwit::mover {

std::string sayBytes(std::int64_t bytes) {
  constexpr double kStep = 1024;
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= kStep && unit + 1 < std::size(kUnits); ++unit) amount /= kStep;
  return unit == 0 || amount >= 10 ? fmt::format("{:.0f} {}", amount, kUnits[unit])
                                   : fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::string sentenceOf(const Progress& progress) {
  std::vector<std::string> parts;
  const auto say = [&](const char* what, std::int64_t done, std::int64_t total) {
    if (total > 0) parts.push_back(fmt::format("{} of {} of {}", sayBytes(done), sayBytes(total), what));
  };
  say("disks", progress.disksDone, progress.disksTotal);
  say("memory", progress.memoryDone, progress.memoryTotal);
  for (const DiskVerification& disk : progress.verification)
    if (disk.bytesTotal > 0)
      parts.push_back(fmt::format("{}% of {} verified", disk.bytesDone * 100 / disk.bytesTotal, disk.name));
  if (parts.empty()) return "";
  if (progress.bytesPerSecond > 0) parts.push_back(sayBytes(progress.bytesPerSecond) + "/s");
  if (progress.iteration > 1)
    parts.push_back(fmt::format("round {}, in which the guest changed {}/s", progress.iteration,
                                sayBytes(progress.dirtyBytesPerSecond)));
  if (progress.throttlePercent > 0)
    parts.push_back(fmt::format("the guest is slowed down by {}%", progress.throttlePercent));
  if (progress.secondsLeft) parts.push_back(fmt::format("about {} s left", *progress.secondsLeft));
  if (progress.downtimeMs) parts.push_back(fmt::format("the guest stood still for {} ms", *progress.downtimeMs));
  const std::string advice = progress.advice.empty() ? "" : "; " + progress.advice;
  return fmt::format("{}: {}{}", schema::nameOf(progress.stage), fmt::join(parts, ", "), advice);
}

}  // namespace godwit::mover
