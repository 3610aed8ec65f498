#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "guest/heartbeats.hpp"
#include "guest/records.hpp"

// Makes test guests, and says from outside what became of them.
namespace {

using namespace godwit;

constexpr std::int64_t kMebibyte = 1 << 20;

int report(const Result<>& outcome) {
  if (outcome) return 0;
  fmt::print(stderr, "witness: {}\n", outcome.error().message);
  return 1;
}

int verifyImage(const std::string& image, std::uint32_t atLeast) {
  const auto verdict = guest::verify(image);
  if (!verdict) return report(fail(verdict.error()));
  fmt::print("last {}\nBAD {}\n", verdict->last, verdict->bad.size());
  for (const std::uint32_t slot : verdict->bad) fmt::print("slot {}\n", slot);
  return !verdict->bad.empty() || verdict->last < atLeast ? 1 : 0;
}

// The share of the values, which are sorted and not none, that is not above it.
std::int64_t percentile(const std::vector<std::int64_t>& values, std::size_t percent) {
  return values[(values.size() * percent + 99) / 100 - 1];
}

// A guest that writes as fast as it can is silent for as long as a write takes.
int printOutage(const std::string& file, std::int64_t since) {
  std::ifstream lines(file);
  if (!lines) return report(fail(Code::NotFound, fmt::format("cannot open {}", file)));
  const auto outage = guest::measureOutage(lines, since);
  const auto gapMs = [&](std::size_t percent) {
    return outage.gapsNs.empty() ? 0 : static_cast<double>(percentile(outage.gapsNs, percent)) / 1e6;
  };
  fmt::print("longest gap ms {:.1f}\nheartbeats {}\nerrors {}\np50 gap ms {:.2f}\np99 gap ms {:.2f}\n", gapMs(100),
             outage.heartbeats, outage.errors, gapMs(50), gapMs(99));
  return 0;
}

int printFirst(const std::string& file, std::int64_t since, std::size_t guests) {
  const auto heard = guest::awaitFirstHeartbeats(file, since, guests);
  if (!heard) return report(fail(heard.error()));
  std::vector<std::int64_t> afterMs;
  for (const auto& [guest, at] : *heard) afterMs.push_back((at - since) / 1'000'000);
  std::sort(afterMs.begin(), afterMs.end());
  fmt::print("guests {}\n", afterMs.size());
  if (!afterMs.empty())
    fmt::print("p50 ms {}\np95 ms {}\nlast ms {}\n", percentile(afterMs, 50), percentile(afterMs, 95), afterMs.back());
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Makes test guests, and says from outside what became of them.");
  app.require_subcommand(1);
  std::string image, file;
  std::vector<std::string> directories;
  std::int64_t sizeMib = 0, since = 0;
  std::uint32_t atLeast = 0;
  std::size_t guests = 0;
  guest::GuestParameters parameters;

  auto* install = app.add_subcommand("install", "Puts the guest on a raw image, which is made or grown if need be.");
  install->add_option("image", image)->required();
  install->add_option("size-mib", sizeMib)->required();
  install->add_option("--base", parameters.base, "First sector of the records.");
  install->add_option("--slots", parameters.slots, "Sectors that the records take turns in.");
  install->add_option("--pace", parameters.pace, "Hundredths of a second between records; 0: none.");
  install->add_option("--memory-pages", parameters.memoryPages, "Pages of memory to fill.");
  install->add_option("--dirty-pages", parameters.dirtyPages, "Of them, touched again with every record.");
  install->add_option("--disks", parameters.disks, "Disks that each record is written to, from the first on.");

  auto* verify = app.add_subcommand("verify", "Checks the records on a raw image; fails when one is bad.");
  verify->add_option("image", image)->required();
  verify->add_option("--at-least", atLeast, "Fails also when the newest record is older than this one.");

  auto* watch = app.add_subcommand("watch", "Writes down with the time what appears in console files, until ended.");
  watch->add_option("out", file)->required();
  watch->add_option("directories", directories)->required();

  auto* outage = app.add_subcommand("outage", "Says what a watch has seen of the guests' heartbeats.");
  outage->add_option("watched", file)->required();
  outage->add_option("--since", since, "Leaves out what was heard before (monotonic nanoseconds).");

  auto* first = app.add_subcommand("first", "Says how long it took until guests were first heard.");
  first->add_option("watched", file)->required();
  first->add_option("--since", since, "From here on (monotonic nanoseconds).")->required();
  first->add_option("--await", guests, "Waits until so many have been heard.");

  auto* now = app.add_subcommand("now", "Says the time that heartbeats are written down by.");

  CLI11_PARSE(app, argc, argv);
  if (*install) return report(guest::install(image, sizeMib * kMebibyte, parameters));
  if (*verify) return verifyImage(image, atLeast);
  if (*watch) return report(guest::watchConsoles(file, directories));
  if (*first) return printFirst(file, since, guests);
  if (*now) return fmt::print("{}\n", guest::monotonicNs()), 0;
  return printOutage(file, since);
} catch (const std::exception& error) {
  std::cerr << "witness: " << error.what() << "\n";
  return 1;
}
