#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit::hypervisor {

// Stands between a server of disks, which speaks NBD, and its clients. All that they say goes through it but for zeros
// that are to be written where there are zeros: a server that cannot make holes would fill them. At every moment the
// disk has in it what it would have without the sieve.
class Sieve {
 public:
  // The disks that are sieved, by the names that the server has for them, and whether one is known to hold nothing but
  // zeros. Of another one it is looked at what is there before zeros are written.
  using Disks = std::map<std::string, bool>;

  // Listens at `socket`, for its own user alone, and leads each client to the next of the lines to the server.
  // The socket's file is gone when the last has come.
  static Result<std::unique_ptr<Sieve>> open(const std::string& socket, std::vector<Descriptor> lines, Disks disks);
  // Ends all lines.
  ~Sieve();
  Sieve(const Sieve&) = delete;
  Sieve& operator=(const Sieve&) = delete;

 private:
  class Conversation;

  Sieve(std::string socket, Descriptor listener, std::vector<Descriptor> lines, Disks disks);
  void admitAll();

  const std::string socket_;
  const Descriptor leaving_;  // readable once all is to end
  Descriptor listener_;
  std::vector<Descriptor> lines_;
  const Disks disks_;
  std::vector<std::unique_ptr<Conversation>> conversations_;  // the thread's, as the two before
  std::jthread thread_;
};

}  // namespace godwit::hypervisor
