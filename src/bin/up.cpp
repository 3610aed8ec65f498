#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/stop_signals.hpp"
#include "bin/commands.hpp"
#include "bin/ending.hpp"
#include "bin/houses.hpp"
#include "bin/layout.hpp"
#include "bin/readiness.hpp"
#include "bin/supervisor.hpp"
#include "bin/target.hpp"
#include "bin/wiring.hpp"

namespace godwit::bin {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Result<> makeDirectories(const Layout& layout, int nodes) {
  std::error_code error;
  for (const fs::path& path :
       {layout.run(), layout.root / "log", layout.server(), layout.sharedVolumes(), layout.sockets()})
    if (!error) fs::create_directories(path, error);
  for (const std::string& name : nodeNames(nodes))
    if (!error) fs::create_directories(layout.volumes(name), error);
  if (error)
    return fail(Code::Unavailable,
                fmt::format("cannot make directories in {}: {}", layout.root.string(), error.message()));
  return {};
}

// The port of the first start is kept: kubeconfigs that people have copied stay good, and so do volumes.
Result<unsigned short> keptPort(const fs::path& file, unsigned short asked = 0) {
  const auto kept = readFile(file);
  if (asked == 0 && kept) asked = static_cast<unsigned short>(std::strtoul(kept->c_str(), nullptr, 10));
  const unsigned short port = TRY(listeningPort(asked));
  TRY(replaceFile(file, std::to_string(port)));
  return port;
}

Service serverOf(const Layout& layout, const UpOptions& options, const std::string& address, unsigned short port) {
  return {"server",
          {.argv = {options.program, "server", "--directory", layout.server(), "--kubeconfig", layout.kubeconfig(),
                    "--address", address, "--port", std::to_string(port)},
           .outputFile = layout.log("server"),
           .errorFile = layout.log("server"),
           .ownSession = true},
          layout.pidFile("server")};
}

Service controllerOf(const Layout& layout, const UpOptions& options) {
  return {"controller",
          {.argv = {options.program, "controller", "--kubeconfig", layout.kubeconfig(), "--node-grace",
                    std::to_string(options.nodeGrace)},
           .outputFile = layout.log("controller"),
           .errorFile = layout.log("controller"),
           .ownSession = true},
          layout.pidFile("controller")};
}

// Like the port, the networks of the first start are kept.
Result<Wiring> lay(const Layout& layout, const UpOptions& options) {
  const Wiring wiring = TRY(Wiring::plan(layout, options.networks, options.nodes));
  if (!options.networks.empty())
    TRY(replaceFile(layout.networks(), fmt::format("{}\n", fmt::join(options.networks, "\n"))));
  TRY(wiring.layBridges());
  return wiring;
}

Result<> live(const Layout& layout, const UpOptions& options, std::stop_token stop) {
  TRY(makeDirectories(layout, options.nodes));
  const auto lock = TRY(FileLock::take(layout.lock()));
  if (!lock) return fail(Code::Conflict, fmt::format("a godwit is already up in {}", layout.root.string()));
  TRY(replaceFile(layout.pidFile("up"), std::to_string(::getpid())));
  const SystemClock clock;
  // Left behind by an `up` that was killed: they are started anew, the nodes are not touched.
  for (const char* name : {"server", "controller"}) TRY(endProcess(layout.pidFile(name), name));

  TRY(endTarget(layout));
  const Wiring wiring = TRY(lay(layout, options));
  std::vector<kinds::StorageClass> classes = ownClasses(layout);
  std::jthread target;  // ends after the guests that use it
  if (hasTarget()) {
    const std::string portal = fmt::format("{}:{}", wiring.machineAddress(), TRY(keptPort(layout.targetPort())));
    classes.push_back(targetClass(layout, portal));
    target =
        std::jthread([&, portal](std::stop_token ended) { supervise(targetService(layout, portal), clock, ended); });
  }
  const unsigned short port = TRY(keptPort(layout.port(), options.port));
  const auto houses = TRY(Houses::open({.layout = layout,
                                        .program = options.program,
                                        .wiring = wiring,
                                        .certificateLife = std::chrono::seconds(options.certificateSeconds)}));
  std::jthread server([&] { supervise(serverOf(layout, options, wiring.machineAddress(), port), clock, stop); });
  Result<> ready = waitForServer(layout, stop);
  std::jthread controller;
  if (ready) controller = std::jthread([&] { supervise(controllerOf(layout, options), clock, stop); });
  for (const std::string& name : nodeNames(options.nodes))
    if (ready) ready = houses->start(name);
  if (ready) ready = makeStorageClasses(layout, classes);
  if (ready) ready = waitForNodes(layout, nodeNames(options.nodes), stop);
  if (ready && !stop.stop_requested()) {
    fmt::print("ready\n");
    std::fflush(stdout);
    houses->keep(stop);
  }
  endNodes(layout);
  removeWiring(layout);
  if (!ready) ::raise(SIGTERM);  // ends the services, too
  return ready;
}

}  // namespace

int runUpCommand(const UpOptions& options) {
  const Layout layout{fs::absolute(options.directory).lexically_normal()};
  if (const auto wiring = Wiring::plan(layout, options.networks, options.nodes); !wiring) {
    exitCode(fail(wiring.error()));
    return kUsage;
  }
  if (options.detach) return exitCode(upInTheBackground(layout, options));
  const StopSignals signals;
  return exitCode(live(layout, options, signals.token()));
}

}  // namespace godwit::bin
