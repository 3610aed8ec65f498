#include <csignal>

#include <fmt/format.h>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "bin/commands.hpp"
#include "bin/layout.hpp"
#include "bin/readiness.hpp"
#include "bin/supervisor.hpp"

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
  TRY(waitForNodes(layout, {name}, {}));
  fmt::print("{} is ready\n", name);
  return {};
}

Result<> kill(const Layout& layout, const std::string& name) {
  TRY(endProcess(layout.pidFile(name), "node-init", SIGKILL));
  fmt::print("{} is dead\n", name);
  return {};
}

int act(const NodePowerOptions& options, Result<> (*verb)(const Layout&, const std::string&)) {
  const Layout layout = layoutOf(options);
  if (const auto exists = ensureExists(layout, options.name); !exists) {
    exitCode(exists);
    return kUsage;
  }
  return exitCode(verb(layout, options.name));
}

}  // namespace

int runNodeKillCommand(const NodePowerOptions& options) { return act(options, kill); }
int runNodeStartCommand(const NodePowerOptions& options) { return act(options, start); }

}  // namespace godwit::bin
