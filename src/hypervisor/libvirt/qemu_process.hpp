#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// Where the QEMU processes of a daemon are written down.
struct ProcessRegister {
  std::string directory;                        // holds <domain>.pid
  std::optional<int> neighbour = std::nullopt;  // a process of their PID namespace, when it is not ours
};

// The QEMU of one domain. It is held by a pidfd and recognised by its command line, so a signal
// never reaches a process that came later or is somebody else.
class QemuProcess {
 public:
  // Nothing when the process that was written down is dead; NotFound when none is written down;
  // Internal when what is found there is not the domain's QEMU.
  static Result<std::optional<QemuProcess>> find(const ProcessRegister& processes, const std::string& domain);

  // Returns when its main thread, the one that obeys the daemon, stands still.
  Result<> freeze();
  Result<> thaw();
  bool isFrozen() const;
  // Its end of the line to the daemon, once more: as long as that is held the daemon does not hear that it has died.
  // None when it cannot be had.
  Descriptor lineToDaemon() const;
  // From here on it does nothing any more, though it may take a while until it has given back all that it had.
  Result<> kill();
  // Whether somebody has told it to end, and it has not got round to it: a frozen one does not.
  bool isToldToEnd() const;
  bool isDeadWithin(std::chrono::milliseconds patience) const;
  // Dead, and forgotten by whose child it was: there is nothing left to send a signal to.
  bool isGoneWithin(std::chrono::milliseconds patience) const;
  // Waits until it is dead, or the descriptor is readable, or `patience` has passed; whether it is dead.
  bool diesBefore(int descriptor, std::chrono::milliseconds patience) const;

 private:
  QemuProcess(int pid, Descriptor handle) : pid_(pid), pidfd_(std::move(handle)) {}
  Result<> send(int signal);

  int pid_;
  Descriptor pidfd_;
};

}  // namespace godwit::hypervisor::libvirt
