#include <unistd.h>

#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "base/bell.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/stop_signals.hpp"
#include "bin/commands.hpp"
#include "bin/node_serving.hpp"
#include "client/kubeconfig.hpp"
#include "control/unit.hpp"
#include "control/workers.hpp"
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "hypervisor/libvirt/private_daemon.hpp"
#include "kinds/words.hpp"
#include "node/endpoint.hpp"
#include "node/logs/consoles.hpp"
#include "node/moving/papers_reconciler.hpp"
#include "node/pod_reconciler.hpp"
#include "node/process_importers.hpp"
#include "node/process_movers.hpp"
#include "node/registration.hpp"
#include "node/volume_reconciler.hpp"
#include "storage/node_images.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

namespace libvirt = hypervisor::libvirt;

constexpr int kThreadsPerController = 4;
constexpr Duration kAskDaemonAgainAfter = 500ms;

std::string consolesOf(const NodeOptions& options) { return options.directory + "/consoles"; }
std::string movesOf(const NodeOptions& options) { return options.directory + "/moves"; }
std::string importsOf(const NodeOptions& options) { return options.directory + "/imports"; }
std::string containersOf(const NodeOptions& options) { return options.directory + "/containers"; }
std::string marksOf(const NodeOptions& options) { return options.directory + "/logs"; }

Result<> makeDirectories(const NodeOptions& options) {
  for (const std::string& path : {consolesOf(options), options.volumeDirectory, options.socketDirectory}) {
    if (path.empty()) continue;
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return fail(Code::Unavailable, fmt::format("cannot make {}: {}", path, error.message()));
  }
  return {};
}

// A node whose hypervisor cannot tell does its work all the same.
std::optional<hypervisor::Processors> processorsOf(hypervisor::Hypervisor& hypervisor) {
  auto found = hypervisor.processors();
  if (found) return std::move(*found);
  log::warn("what guests can have for a processor is not known: {}", found.error().message);
  return std::nullopt;
}

std::string transportOf(const NodeOptions& options) {
  if (options.certificates.empty()) return "";
  return libvirt::uri(libvirt::Doorstep{
      .address = options.addresses.front(), .port = options.transportPort, .certificates = options.certificates});
}

// Which machine this is, and which of its lives.
std::string bootId() {
  std::string id = readFile("/proc/sys/kernel/random/boot_id").value_or("");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

node::NodeProfile profileOf(const NodeOptions& options, const NodeServing& serving,
                            hypervisor::Hypervisor& hypervisor) {
  return {.name = options.name,
          .hypervisorUri = options.libvirtUri,
          .transportUri = transportOf(options),
          .consoleDirectory = consolesOf(options),
          .containerDirectory = containersOf(options),
          .socketDirectory = options.socketDirectory,
          .volumeDirectory = options.volumeDirectory,
          .addresses = options.addresses,
          .bootId = bootId(),
          .port = serving.server->port(),
          .servingCertificate = serving.certificate,
          .memoryBytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE),
          .cpus = sysconf(_SC_NPROCESSORS_ONLN),
          .processors = processorsOf(hypervisor)};
}

// Asks until the daemon answers: a node without one has nothing to offer.
Result<std::unique_ptr<hypervisor::Hypervisor>> reachHypervisor(libvirt::EventLoop& events, const std::string& uri,
                                                                std::stop_token stop) {
  const libvirt::LibvirtConfig config{.uri = uri, .machine = {.accelerator = libvirt::chooseAccelerator()}};
  Bell never;
  for (;;) {
    auto hypervisor = libvirt::connect(events, config);
    if (hypervisor || stop.stop_requested()) return hypervisor;
    log::info("waiting for {}: {}", uri, hypervisor.error().message);
    never.waitFor(kAskDaemonAgainAfter, stop);
  }
}

// Before anybody else follows the pods: where a pod's part of a console begins is noted before its guest starts.
Result<std::unique_ptr<node::logs::PodLogs>> openLogs(node::Site& site, const node::ProcessMovers& movers,
                                                      const node::ProcessImporters& importers,
                                                      const NodeOptions& options) {
  namespace words = kinds::words;
  auto logs = TRY(node::logs::PodLogs::open([&site](const object::Key& key) { return site.pods.get(key); }));
  const auto consoles = TRY(node::logs::Consoles::open(consolesOf(options), marksOf(options)));
  logs->add(words::kAppLauncher, [consoles](const kinds::Pod& pod) { return consoles.logOf(pod); });
  logs->add(words::kAppMigration, [&movers](const kinds::Pod& pod) -> Result<node::logs::Log> {
    const std::string file = TRY(movers.logFile(object::valueOf(pod.metadata.labels, words::kMigrationJobUid)));
    return node::logs::Log{.file = file, .begin = 0, .timed = true};
  });
  logs->add(words::kAppImporter, [&importers](const kinds::Pod& pod) -> Result<node::logs::Log> {
    const std::string file = TRY(importers.logFile(pod.metadata.uid));
    return node::logs::Log{.file = file, .begin = 0, .timed = true};
  });
  site.pods.onChange([consoles, &logs = *logs](const kinds::Pod* before, const kinds::Pod* after) {
    consoles.podChanged(before, after);
    logs.podChanged((after ? after : before)->metadata.key());
  });
  return logs;
}

Result<> runNode(const NodeOptions& options, std::stop_token stop) {
  const SystemClock clock;
  const http::ClientConfig cluster = TRY(client::loadKubeconfig(options.kubeconfig));
  const auto transport = TRY(http::Client::create(cluster));
  TRY(makeDirectories(options));
  const client::Client client(*transport);
  const auto events = TRY(libvirt::EventLoop::start());
  auto hypervisor = TRY(reachHypervisor(*events, options.libvirtUri, stop));
  storage::NodeImages images;
  auto movers = TRY(node::ProcessMovers::open(
      {.directory = movesOf(options), .program = options.program, .hypervisor = options.libvirtUri}, clock));
  auto importers = TRY(node::ProcessImporters::open(importsOf(options), options.program, clock));
  node::Site site(options.name, client, clock, *hypervisor, images, *movers, *importers, consolesOf(options),
                  options.certificates, containersOf(options));
  const auto logs = TRY(openLogs(site, *movers, *importers, options));
  node::Uploads uploads([&site](const object::Key& key) { return site.pods.get(key); }, *importers);
  node::Endpoint endpoint(*logs, uploads, clock);
  const NodeServing serving = TRY(serveAsNode(options, cluster.caCertificate, endpoint, clock.now()));
  control::Unit<node::PodReconciler, node::Site> pods("pod", site);
  control::Unit<node::VolumeReconciler, node::Site> volumes("volume", site);
  control::Unit<node::moving::PapersReconciler, node::Site> papers("papers", site);
  const node::Registration registration(client, clock, profileOf(options, serving, *hypervisor));
  std::jthread answering([&] { serving.server->run(stop); });
  const std::jthread registering([&] { registration.run(stop); });
  control::runWorkers(site.caches(), {&pods.controller, &volumes.controller, &papers.controller}, kThreadsPerController,
                      stop);
  // Whoever asks movers and importers goes before them, and they and the hypervisor, who call the controllers, before
  // those.
  answering.join();
  movers.reset();
  importers.reset();
  hypervisor.reset();
  return {};
}

}  // namespace

int runNodeCommand(const NodeOptions& options) {
  const StopSignals signals;
  const auto ended = runNode(options, signals.token());
  if (ended || signals.token().stop_requested()) return 0;
  log::error("{}", ended.error().message);
  return 1;
}

}  // namespace godwit::bin
