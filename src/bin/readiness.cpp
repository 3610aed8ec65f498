#include "bin/readiness.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/bell.hpp"
#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "bin/commands.hpp"
#include "bin/supervisor.hpp"
#include "client/cache.hpp"
#include "client/kubeconfig.hpp"
#include "http/client.hpp"
#include "kinds/core.hpp"
#include "kinds/node.hpp"
#include "kinds/words.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

constexpr auto kTryAgainAfter = 50ms;
constexpr int kMostTries = 1200;  // one minute

// When the node that lives now was started; nothing when none does.
std::optional<Timestamp> bornAt(const Layout& layout, const std::string& node) {
  const std::string pidFile = layout.pidFile(node);
  struct stat found = {};
  if (!isAlive(pidFile, "node-init") || ::stat(pidFile.c_str(), &found) != 0) return std::nullopt;
  return Timestamp(std::chrono::seconds(found.st_mtim.tv_sec) + std::chrono::nanoseconds(found.st_mtim.tv_nsec));
}

// What a node said in an earlier life still stands in its Node; only a lease renewed in this one counts.
Result<bool> isReady(const client::Client& api, const Layout& layout, const std::string& node) {
  const auto born = bornAt(layout, node);
  const auto found = TRY(api.find<kinds::Node>({"", node}));
  const auto lease = TRY(api.find<kinds::Lease>({std::string(kinds::words::kLeaseNamespace), node}));
  return born && lease && lease->spec.renewTime >= *born && found && kinds::isTrue(found->status.conditions, "Ready");
}

Result<> ensureReady(const Layout& layout, const std::vector<std::string>& nodes) {
  const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(layout.kubeconfig()))));
  const client::Client api(*transport);
  for (const std::string& node : nodes)
    if (!TRY(isReady(api, layout, node)))
      return fail(Code::Timeout, fmt::format("{} is not ready; see {}", node, (layout.root / "log").string()));
  return {};
}

kinds::StorageClass classNamed(const char* name) {
  kinds::StorageClass made;
  made.metadata.name = name;
  made.provisioner = kinds::words::kDirectoryProvisioner;
  made.volumeBindingMode = "WaitForFirstConsumer";
  made.allowVolumeExpansion = true;
  return made;
}

}  // namespace

Result<> insist(const std::function<Result<>()>& attempt, std::stop_token stop) {
  Bell bell;
  Result<> outcome;
  for (int i = 0; i < kMostTries; ++i) {
    if (stop.stop_requested()) return {};
    outcome = attempt();
    if (outcome) return outcome;
    bell.waitFor(kTryAgainAfter, stop);
  }
  return outcome;
}

Result<unsigned short> listeningPort(unsigned short asked) {
  if (asked != 0) return asked;
  const Descriptor probe(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(probe.number(), generic, size) != 0 || ::getsockname(probe.number(), generic, &size) != 0)
    return fail(Code::Unavailable, "no port is free on 127.0.0.1");
  return ntohs(address.sin_port);
}

Result<> waitForServer(const Layout& layout, std::stop_token stop) {
  return insist(
      [&]() -> Result<> {
        const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(layout.kubeconfig()))));
        TRY(client::Client(*transport).list(schema::kind<kinds::Namespace>));
        return {};
      },
      stop);
}

Result<> waitForNodes(const Layout& layout, const std::vector<std::string>& nodes, std::stop_token stop) {
  return insist([&] { return ensureReady(layout, nodes); }, stop);
}

std::vector<kinds::StorageClass> ownClasses(const Layout& layout) {
  kinds::StorageClass shared = classNamed("shared");
  shared.volumeBindingMode = "Immediate";
  shared.parameters["sharedDirectory"] = layout.sharedVolumes();
  if (::geteuid() != 0) return {classNamed("local"), shared};
  kinds::StorageClass block = classNamed("block");
  block.provisioner = kinds::words::kBlockProvisioner;
  return {classNamed("local"), shared, block};
}

Result<> makeStorageClasses(const Layout& layout, const std::vector<kinds::StorageClass>& classes) {
  const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(layout.kubeconfig()))));
  const client::Client api(*transport);
  for (const kinds::StorageClass& wanted : classes) TRY(api.ensure(wanted));
  return {};
}

Result<> upInTheBackground(const Layout& layout, const UpOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(layout.root / "log", error);
  const std::string log = layout.log("up");
  std::vector<std::string> argv = {options.program,
                                   "up",
                                   "--dir",
                                   layout.root,
                                   "--nodes",
                                   std::to_string(options.nodes),
                                   "--port",
                                   std::to_string(options.port),
                                   "--node-grace",
                                   std::to_string(options.nodeGrace),
                                   "--certificate-seconds",
                                   std::to_string(options.certificateSeconds)};
  for (const std::string& network : options.networks) argv.insert(argv.end(), {"--network", network});
  auto process = TRY(Process::start({.argv = argv, .outputFile = log, .errorFile = log, .ownSession = true}));
  const std::stop_source never;
  return insist(
             [&]() -> Result<> {
               if (const auto ended = TRY(process.poll()); ended && ended->status != 0)
                 return Result<>{};  // looked at below
               return ensureReady(layout, nodeNames(options.nodes));
             },
             never.get_token())
      .and_then([&]() -> Result<> {
        if (const auto ended = TRY(process.poll())) return fail(Code::Unavailable, "it has ended at once; see " + log);
        return {};
      });
}

}  // namespace godwit::bin
