#include <cstdio>

#include "base/clock.hpp"
#include "bin/commands.hpp"
#include "bin/layout.hpp"
#include "hypervisor/libvirt/reaping_init.hpp"

namespace godwit::bin {

// Process 1 of a node's namespaces: a libvirt daemon of its own, and the node agent beside it.
int runNodeInitCommand(const NodeInitOptions& options) {
  const Layout layout{options.directory};
  const auto house = layout.house(options.name);
  if (const auto prepared = hypervisor::libvirt::prepareHouse(house); !prepared) return exitCode(prepared);
  const SystemClock clock;
  const std::vector<std::string> agent = {options.program, "node",
                                          "--kubeconfig",  layout.kubeconfig(),
                                          "--name",        options.name,
                                          "--libvirt",     hypervisor::libvirt::uri(house),
                                          "--directory",   layout.node(options.name),
                                          "--volumes",     layout.volumes(options.name),
                                          "--sockets",     layout.sockets()};
  return hypervisor::libvirt::runReapingInit(house, {hypervisor::libvirt::daemonOf(house), {.argv = agent}}, clock);
}

}  // namespace godwit::bin
