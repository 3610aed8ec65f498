#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/cidr.hpp"
#include "base/result.hpp"
#include "bin/layout.hpp"

namespace godwit::bin {

// The networks that the nodes of one `up` are on, each with an address of its own, as hosts have. A bridge is a
// network; the machine has its first address, and node N the Nth after that. What it makes is in the network namespace
// of whoever calls, and known by its name.
class Wiring {
 public:
  // Those that were asked for, or else those of the first time; maybe none. Invalid when one is not a network, or has
  // too few addresses; Conflict when they are not those of the first time; Forbidden for who is not root.
  static Result<Wiring> plan(const Layout& layout, const std::vector<std::string>& asked, int nodes);

  bool empty() const { return networks_.empty(); }
  // Where the machine is reached by nodes; its own loopback when there is no wiring.
  std::string machineAddress() const;
  // In the order of the networks; each as "10.77.0.2/24".
  std::vector<std::string> addressesOf(const std::string& node) const;

  // Both are safe to repeat.
  Result<> layBridges() const;
  // Into the namespace of a process, in which they are called eth0, eth1 ...
  Result<> connect(const std::string& node, pid_t process) const;

 private:
  Wiring(std::string prefix, std::vector<Cidr> networks) : prefix_(std::move(prefix)), networks_(std::move(networks)) {}

  std::string prefix_;
  std::vector<Cidr> networks_;
};

// Takes away all that is left of it.
void removeWiring(const Layout& layout);

// The part of the node itself: waits for its interfaces, and gives them their addresses.
Result<> settleOnNetwork(const std::vector<std::string>& addresses);

}  // namespace godwit::bin
