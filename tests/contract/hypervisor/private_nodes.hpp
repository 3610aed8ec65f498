#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "base/random.hpp"
#include "base/scratch_directory_test.hpp"
#include "contract/hypervisor/world.hpp"
#include "hypervisor/libvirt/event_loop.hpp"
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "hypervisor/libvirt/private_daemon.hpp"

namespace godwit::hypervisor {

// Ends the test when what it stands on does not hold.
inline void demand(const Result<>& outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().message);
}

// One private node: a daemon in namespaces of its own, which dies with this process.
class PrivateNode {
 public:
  PrivateNode(const std::string& directory, const std::string& warmCache);
  ~PrivateNode();
  PrivateNode(const PrivateNode&) = delete;
  PrivateNode& operator=(const PrivateNode&) = delete;

  const libvirt::House& house() const { return house_; }
  libvirt::LibvirtConfig config() const;
  // Opens a connection to its daemon, waiting until it has started.
  std::unique_ptr<Hypervisor> connect(libvirt::EventLoop& loop) const;

  int initPid() const { return init_; }
  // The process of the daemon at present, as this process sees it; 0 when there is none.
  int daemonPid() const;

 private:
  libvirt::House house_;
  int init_ = 0;
};

class PrivateNodes {
 public:
  PrivateNodes();

  const ScratchDirectory directory;
  const std::unique_ptr<libvirt::EventLoop> loop;
  const PrivateNode source;
  const PrivateNode target;
};

}  // namespace godwit::hypervisor
