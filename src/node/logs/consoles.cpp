#include "node/logs/consoles.hpp"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/log.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/words.hpp"
#include "node/logs/log_file.hpp"
#include "node/site.hpp"

namespace godwit::node::logs {
namespace {

namespace fs = std::filesystem;
namespace words = kinds::words;

bool isGuest(const kinds::Pod& pod) { return object::valueOf(pod.metadata.labels, words::kApp) == words::kAppLauncher; }

}  // namespace

Result<Consoles> Consoles::open(std::string consoles, std::string marks) {
  std::error_code error;
  fs::create_directories(marks, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot make {}: {}", marks, error.message()));
  return Consoles(std::move(consoles), std::move(marks));
}

void Consoles::podChanged(const kinds::Pod* before, const kinds::Pod* after) const {
  std::error_code gone;
  if (before && isGuest(*before) && (!after || after->metadata.uid != before->metadata.uid))
    fs::remove(markOf(*before), gone);
  // One that runs without a mark was started by somebody who made none, and has the whole console.
  if (!after || !isGuest(*after) || !isWaiting(*after) || fs::exists(markOf(*after), gone)) return;
  if (const auto marked = mark(*after); !marked)
    log::warn("the log of pod {} will be the whole console: {}", object::show(after->metadata.key()),
              marked.error().message);
}

Result<Log> Consoles::logOf(const kinds::Pod& pod) const {
  Log log{.file = fileOf(pod)};
  const auto mark = readFile(markOf(pod));
  if (mark) std::from_chars(mark->data(), mark->data() + mark->size(), log.begin);
  return log;
}

std::string Consoles::fileOf(const kinds::Pod& pod) const {
  const std::string instance = object::valueOf(pod.metadata.labels, words::kVmiName);
  return consoleFile(consoles_, kinds::domainName({pod.metadata.nameSpace, instance}));
}

Result<> Consoles::mark(const kinds::Pod& pod) const {
  return replaceFile(markOf(pod), std::to_string(TRY(LogFile(fileOf(pod)).size())));
}

}  // namespace godwit::node::logs
