#include "storage/tgt.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/process.hpp"
#include "kinds/lun.hpp"

namespace godwit::storage {
namespace {

constexpr const char* kProgram = "/usr/sbin/tgtadm";

std::string_view trimmed(std::string_view line) {
  const std::size_t from = line.find_first_not_of(' ');
  return from == std::string_view::npos ? std::string_view() : line.substr(from);
}

// What follows `label` at the beginning of the line; nothing when the line has another beginning.
std::optional<std::string_view> after(std::string_view label, std::string_view line) {
  if (!line.starts_with(label)) return std::nullopt;
  return line.substr(label.size());
}

// LUN 0 is the target's controller, which has no file.
void readLine(Target& target, std::string_view line) {
  const auto backing = after("Backing store path: ", line);
  if (backing && *backing != "None") target.backing = *backing;
  if (line == "ALL") target.open = true;
}

const Target* find(const std::vector<Target>& targets, const std::string& name) {
  const auto found =
      std::find_if(targets.begin(), targets.end(), [&](const Target& target) { return target.name == name; });
  return found == targets.end() ? nullptr : &*found;
}

int freeId(const std::vector<Target>& targets) {
  int id = 1;
  while (std::any_of(targets.begin(), targets.end(), [&](const Target& target) { return target.id == id; })) ++id;
  return id;
}

}  // namespace

std::vector<Target> parseTargets(std::string_view shown) {
  std::vector<Target> targets;
  while (!shown.empty()) {
    const std::size_t end = std::min(shown.find('\n'), shown.size());
    const std::string_view line = shown.substr(0, end);
    shown.remove_prefix(std::min(end + 1, shown.size()));
    if (const auto heading = after("Target ", line)) {
      const std::size_t colon = std::min(heading->find(": "), heading->size() - 2);
      targets.push_back(
          {std::atoi(std::string(heading->substr(0, colon)).c_str()), std::string(heading->substr(colon + 2))});
    } else if (!targets.empty()) {
      readLine(targets.back(), trimmed(line));
    }
  }
  return targets;
}

Result<std::vector<Target>> Tgt::targets() const {
  return parseTargets(TRY(run({"--op", "show", "--mode", "target"})));
}

Result<> Tgt::serve(const std::string& name, const std::string& file) const {
  const std::vector<Target> known = TRY(targets());
  const Target* const found = find(known, name);
  const std::string id = std::to_string(found ? found->id : freeId(known));
  if (!found) TRY(run({"--op", "new", "--mode", "target", "--tid", id, "--targetname", name}));
  if (!found || found->backing.empty())
    TRY(run({"--op", "new", "--mode", "logicalunit", "--tid", id, "--lun", std::to_string(kinds::kLun),
             "--backing-store", file}));
  if (found && found->open) return {};
  // What is discarded is given back, and whoever copies the LUN is told where nothing is.
  TRY(run({"--op", "update", "--mode", "logicalunit", "--tid", id, "--lun", std::to_string(kinds::kLun), "--params",
           "thin_provisioning=1"}));
  TRY(run({"--op", "bind", "--mode", "target", "--tid", id, "--initiator-address", "ALL"}));
  return {};
}

Result<> Tgt::withdraw(const std::string& name, InUse inUse) const {
  const std::vector<Target> known = TRY(targets());
  const Target* const found = find(known, name);
  if (!found) return {};
  std::vector<std::string> words = {"--op", "delete", "--mode", "target", "--tid", std::to_string(found->id)};
  if (inUse == InUse::Ignore) words.push_back("--force");
  TRY(run(std::move(words)).map_error([&](Error error) {
    return inUse == InUse::Refuse ? Error{Code::Conflict, fmt::format("{}: {}", name, error.message), {}} : error;
  }));
  return {};
}

Result<std::string> Tgt::run(std::vector<std::string> words) const {
  ::unlink(scratch_.c_str());
  std::vector<std::string> argv = {kProgram, "--lld", "iscsi"};
  std::move(words.begin(), words.end(), std::back_inserter(argv));
  Process process = TRY(Process::start(
      {.argv = argv, .outputFile = scratch_, .errorFile = scratch_, .environment = {"TGT_IPC_SOCKET=" + control_}}));
  const Exit ended = TRY(process.wait());
  std::string said = TRY(readFile(scratch_));
  ::unlink(scratch_.c_str());
  if (ended == Exit{}) return said;
  return fail(Code::Unavailable, fmt::format("the target daemon at {} refuses: {}", control_, trimmed(said)));
}

}  // namespace godwit::storage
