#include <csignal>

#include <fmt/format.h>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "bin/commands.hpp"
#include "bin/layout.hpp"
#include "bin/readiness.hpp"
#include "bin/supervisor.hpp"
#include "object/document.hpp"

namespace godwit::bin {
namespace {

namespace fs = std::filesystem;

Layout layoutOf(const NodePowerOptions& options) { return Layout{fs::absolute(options.directory).lexically_normal()}; }

// Refuses names that could lead out of the directory, too.
Result<> ensureExists(const Layout& layout, const std::string& name) {
  std::error_code error;
  std::string known;
  for (const auto& entry : fs::directory_iterator(layout.nodes(), error)) {
    if (entry.path().filename() == name) return {};
    known += " " + entry.path().filename().string();
  }
  if (known.empty())
    return fail(Code::NotFound,
                fmt::format("there is no Godwit in {0}; `godwit up --dir {0}` starts one", layout.root.string()));
  return fail(Code::NotFound,
              fmt::format("there is no node {} in {}; there are:{}", name, layout.root.string(), known));
}

Result<> start(const Layout& layout, const std::string& name) {
  if (!TRY(FileLock::holder(layout.lock())))
    return fail(
        Code::Unavailable,
        fmt::format("no Godwit is up in {0}; `godwit up --dir {0}` starts it, nodes included", layout.root.string()));
  if (!isAlive(layout.pidFile(name), "node-init")) TRY(replaceFile(layout.startRequest(name), ""));
  return waitForNodes(layout, {name}, {});
}

Result<> kill(const Layout& layout, const std::string& name) {
  return endProcess(layout.pidFile(name), "node-init", SIGKILL);
}

std::string describe(const NodePowerOptions& options, const char* state) {
  if (!options.json) return fmt::format("{} is {}\n", options.name, state);
  return json::serialize(json::object{{"node", options.name}, {"state", state}}) + "\n";
}

// Does it, and says what the node is then.
int act(const NodePowerOptions& options, Result<> (*verb)(const Layout&, const std::string&), const char* state) {
  const Layout layout = layoutOf(options);
  if (const auto exists = ensureExists(layout, options.name); !exists) {
    exitCode(exists);
    return kUsage;
  }
  const auto done = verb(layout, options.name);
  if (done) fmt::print("{}", describe(options, state));
  return exitCode(done);
}

}  // namespace

int runNodeKillCommand(const NodePowerOptions& options) { return act(options, kill, "dead"); }
int runNodeStartCommand(const NodePowerOptions& options) { return act(options, start, "ready"); }

}  // namespace godwit::bin
