#pragma once

#include <chrono>
#include <functional>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/inquiry.hpp"
#include "hypervisor/libvirt/inspection.hpp"
#include "hypervisor/libvirt/qemu_process.hpp"

namespace godwit::hypervisor::libvirt {

// Shuts out a copy that has handed its state over: freeze it, look at how the daemon has it in its book, and kill it
// if it is the one that left. An order to go on that the daemon may give meanwhile reaches a frozen process and
// dies with it; a daemon that has already let it go on says so, and then it is thawed and left alone.
class Fence {
 public:
  // How the domain stands, as the daemon has it. May take long.
  using Question = std::function<Result<Standing>()>;

  Result<Fencing> shut(const Question& standing, QemuProcess& qemu);

 private:
  // Gone also when the process dies before the daemon answers; Timeout when neither happens.
  Result<Standing> look(const Question& standing, const QemuProcess& qemu, std::chrono::milliseconds patience);

  Inquiries<Standing> inquiries_;
};

}  // namespace godwit::hypervisor::libvirt
