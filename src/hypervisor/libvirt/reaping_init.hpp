#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "hypervisor/libvirt/private_daemon.hpp"

namespace godwit::hypervisor::libvirt {

// A command that is to run for as long as the node does.
struct SupervisedCommand {
  std::vector<std::string> argv;
  std::vector<std::string> environment = {};  // "NAME=value", added to what the init has
  std::function<void()> prepare = {};         // called before each start
};

// The daemon of a house, as a command to supervise; its records are mended before it reads them.
SupervisedCommand daemonOf(const House& house);

// The life of a node, led by process 1 of its namespaces: enters the house, starts the commands in their
// order, starts again what ends, and reaps every orphan at once, for libvirt waits until a dead QEMU is gone.
// SIGTERM ends the commands, last one first, then all other processes; returns the exit code.
// SIGKILL of this process is a power loss: the kernel takes everything in the namespace with it.
int runReapingInit(const House& house, const std::vector<SupervisedCommand>& commands, const Clock& clock);

enum class Lifetime {
  OnItsOwn,    // the node outlives whoever started it
  WithParent,  // the node dies with the thread that started it
};

enum class Network {
  Machines,  // shared with all
  Own,       // empty at first; what is put into it goes with the node. Takes root.
};

// Runs `command`, which shall lead to runReapingInit, as process 1 of new mount and PID
// namespaces, and of a user namespace where the caller is not root. Returns its process id as the caller sees it; the
// caller reaps it.
Result<pid_t> startHouse(const std::vector<std::string>& command, Lifetime lifetime,
                         Network network = Network::Machines);

}  // namespace godwit::hypervisor::libvirt
