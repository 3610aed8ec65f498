#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// Stands between the client of one migration and the source's daemon. All that they say goes through it, and three
// words do not go by themselves: the client's that the guest is to be sent; the daemon's that it has sent all of the
// guest, on which the client makes the target's copy run; and the client's how that went, on which the daemon ends its
// own copy or lets it run again. A client that has only lost its target takes that for a failure: libvirt alone then
// leaves two copies running. So a failure is kept from the daemon, which waits for word until the gate is destroyed.
class Gate {
 public:
  struct Keeper {
    // The target is ready, and the source is about to be told to send the guest.
    std::function<void()> begins;
    // All of the guest has been sent, and the target is about to be told to let it run. False: it shall not.
    std::function<bool()> mayGoOn;
    // The target has said that the guest runs there.
    std::function<void()> hasGoneOn;
  };

  // Speaks to the daemon behind a socket for whoever of this process comes in.
  static Result<std::unique_ptr<Gate>> open(const std::string& daemonSocket, Keeper keeper);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Where it is to be found, in libvirt's words for a socket that is no file.
  const std::string& name() const { return name_; }

 private:
  enum class From { Client, Daemon };
  enum class Passage { Open, Refused, Held };  // Refused: both lines end; Held: the client's does

  Gate(std::string name, Descriptor listener, Descriptor daemon, Keeper keeper);
  void serve();
  Passage pass(From from);
  Passage judge(From from, const std::string& message);
  // Until the gate is to be closed, or the daemon has closed it.
  void keepTheDaemonWaiting();

  const std::string name_;
  const Descriptor listener_;
  const Descriptor daemon_;
  const Descriptor leaving_;  // readable once the gate is to be closed
  const Keeper keeper_;
  int client_ = -1;
  std::jthread thread_;
};

}  // namespace godwit::hypervisor::libvirt
