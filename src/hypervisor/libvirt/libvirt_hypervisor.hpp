#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/domain_xml.hpp"
#include "hypervisor/libvirt/event_loop.hpp"

namespace godwit::hypervisor::libvirt {

struct LibvirtConfig {
  std::string uri = "qemu:///system";
  std::string qemuPidDirectory = {};  // empty: where a daemon of that URI keeps it
  // A process of the daemon's PID namespace, when that is not the caller's; only fence() asks.
  std::optional<int> processBesideDaemon = std::nullopt;
  Machine machine = {};
  std::chrono::milliseconds openPatience = std::chrono::seconds(10);
  // A daemon that is silent for about interval times (count + 1) is taken for dead, and calls to it fail.
  std::chrono::seconds keepAliveInterval = std::chrono::seconds(3);
  unsigned keepAliveCount = 4;
};

// A hypervisor behind a libvirt daemon: Unavailable when there is none, Timeout when it does not answer.
// It connects again by itself when the daemon comes back. Destroying it waits for the end of the
// migrations it began; a process that dies instead leaves them to the daemon, which carries on.
Result<std::unique_ptr<Hypervisor>> connect(EventLoop& loop, const LibvirtConfig& config);
// The same for a daemon that need not be there yet: calls fail until it is.
std::unique_ptr<Hypervisor> connectLater(EventLoop& loop, const LibvirtConfig& config);

}  // namespace godwit::hypervisor::libvirt
