#pragma once

#include <memory>
#include <string>

#include "base/process.hpp"
#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/sieve.hpp"

// What keeps a copy thin on a disk that takes zeros literally.
namespace godwit::storage {

// Whether nothing is stored of such a disk, so that it reads as zeros all over.
Result<bool> takesNoRoom(const hypervisor::DiskSource& disk);

// A way to such a disk for one client who speaks NBD: zeros that he writes where zeros are stay outside.
class ThinDoor {
 public:
  // Unavailable when the disk cannot be reached. Conflict when somebody still writes there for an earlier door of that
  // directory, whose process has died: what he has been told to write must be written before anything else is.
  static Result<std::unique_ptr<ThinDoor>> open(const hypervisor::DiskSource& disk, const std::string& directory);
  // Returns when all is written, or nobody can wait for that any longer.
  ~ThinDoor();

  // Where the client comes in; the same for the same disk and directory.
  const std::string& socket() const { return socket_; }

 private:
  ThinDoor(std::string socket, Process server, std::unique_ptr<hypervisor::Sieve> sieve)
      : socket_(std::move(socket)), server_(std::move(server)), sieve_(std::move(sieve)) {}

  const std::string socket_;
  Process server_;  // ends with the sieve's line to it
  std::unique_ptr<hypervisor::Sieve> sieve_;
};

}  // namespace godwit::storage
