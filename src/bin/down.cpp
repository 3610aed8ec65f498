#include "base/log.hpp"
#include "bin/commands.hpp"
#include "bin/ending.hpp"
#include "bin/supervisor.hpp"
#include "bin/target.hpp"
#include "bin/wiring.hpp"
#include "storage/loop_images.hpp"

namespace godwit::bin {

namespace fs = std::filesystem;

void endNodes(const Layout& layout) {
  std::error_code error;
  std::vector<fs::path> nodes;
  for (const auto& entry : fs::directory_iterator(layout.run(), error))
    if (entry.path().filename().string().starts_with("node-") && entry.path().extension() == ".pid")
      nodes.push_back(entry.path());
  for (const fs::path& pidFile : nodes)
    if (const auto ended = endProcess(pidFile, "node-init"); !ended) log::error("{}", ended.error().message);
  // Nodes that were killed could not do it, and those that ended did not: a node that starts again finds its devices.
  if (const auto detached = storage::detachAllBelow(layout.root / "nodes"); !detached)
    log::error("{}", detached.error().message);
}

Result<> endAll(const Layout& layout) {
  TRY(endProcess(layout.pidFile("up"), "up"));
  for (const char* name : {"controller", "server"}) TRY(endProcess(layout.pidFile(name), name));
  endNodes(layout);
  removeWiring(layout);
  return endTarget(layout);
}

int runDownCommand(const std::string& directory) {
  return exitCode(endAll(Layout{fs::absolute(directory).lexically_normal()}));
}

}  // namespace godwit::bin
