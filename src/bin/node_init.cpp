#include <cstdio>

#include "base/clock.hpp"
#include "bin/commands.hpp"
#include "bin/layout.hpp"
#include "bin/wiring.hpp"
#include "hypervisor/libvirt/reaping_init.hpp"

namespace godwit::bin {
namespace {

// Without the length of its network.
std::string bare(const std::string& address) { return address.substr(0, address.find('/')); }

}  // namespace

// Process 1 of a node's namespaces: a libvirt daemon of its own, and the node agent beside it.
int runNodeInitCommand(const NodeInitOptions& options) {
  const Layout layout{options.directory};
  const std::string address = options.addresses.empty() ? "" : bare(options.addresses.front());
  const auto house = layout.house(options.name, address);
  if (!address.empty())
    if (const auto settled = settleOnNetwork(options.addresses); !settled) return exitCode(settled);
  if (const auto prepared = hypervisor::libvirt::prepareHouse(house); !prepared) return exitCode(prepared);
  const SystemClock clock;
  std::vector<std::string> agent = {options.program, "node",
                                    "--kubeconfig",  layout.kubeconfig(),
                                    "--name",        options.name,
                                    "--libvirt",     hypervisor::libvirt::uri(house),
                                    "--directory",   layout.node(options.name),
                                    "--volumes",     layout.volumes(options.name)};
  // Nodes on a network are hosts to each other: they share no directory for sockets.
  const auto say = [&](const std::string& option, const std::string& value) {
    agent.insert(agent.end(), {option, value});
  };
  if (address.empty()) say("--sockets", layout.sockets());
  if (!address.empty()) say("--certificates", layout.certificates(options.name));
  for (const std::string& own : options.addresses) say("--address", bare(own));
  return hypervisor::libvirt::runReapingInit(house, {hypervisor::libvirt::daemonOf(house), {.argv = agent}}, clock);
}

}  // namespace godwit::bin
