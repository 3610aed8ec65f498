#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/directory_watch.hpp"
#include "base/papers.hpp"
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "mover/orders.hpp"

namespace godwit::bin {

using LackingFeatures = Result<std::vector<std::string>>;

// A hypervisor that has a part in a move.
struct Side {
  hypervisor::libvirt::LibvirtConfig config;
  std::shared_ptr<hypervisor::Hypervisor> hypervisor;

  bool isAt(const hypervisor::libvirt::LibvirtConfig& wanted) const { return hypervisor && config.uri == wanted.uri; }
};

hypervisor::libvirt::LibvirtConfig targetOf(const mover::Orders& orders);

// To load the program, to reach both sides and to compare their processors takes longer than all else that a mover does
// before a guest moves. So one waits for a move, and uses what it is told of it on standard input: first, in a line,
// the directory of its papers, then, in further ones, drafts of its orders.
class MoveToCome {
 public:
  MoveToCome(hypervisor::libvirt::EventLoop& events, const std::string& sourceUri);

  // Where the orders are. Nothing when none will come: whoever would give them has gone, or takes too long.
  Result<std::optional<Papers>> await();

  Side source;
  Side target;                                  // as the last draft has it
  std::shared_future<LackingFeatures> lacking;  // by that target, if there is one

 private:
  Result<bool> listen();
  void hear(const std::string& words);
  void prepare(const mover::Orders& draft);

  hypervisor::libvirt::EventLoop& events_;
  std::optional<DirectoryWatch> watch_;  // to close one takes a while, so that is not done before the move
  std::optional<Papers> papers_;
  std::string unfinished_;  // the beginning of a line
};

}  // namespace godwit::bin
