#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/volume.hpp"

namespace godwit::storage {

// The bytes of volumes within one node's reach.
class Images {
 public:
  virtual ~Images() = default;

  // Bytes that are there are left as they are; new ones are empty and sparse.
  // Invalid when the volume cannot be had from here, or is smaller than `bytes`.
  virtual Result<> ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) = 0;
  // Makes it as large as `bytes`. What is so already, or not there, is left as it is.
  virtual Result<> grow(const kinds::PersistentVolume& volume, std::int64_t bytes) = 0;
  // Makes it no larger than `bytes`; what was beyond is lost. What is not there, or was not made here, is left as it
  // is.
  virtual Result<> shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) = 0;
  // Bytes of a disk on the network that somebody else has made: its volume's capacity is only what somebody wrote.
  // Any node can ask; the password is the login's. Nothing for a disk whose size is on record.
  virtual Result<std::optional<std::int64_t>> measure(const kinds::PersistentVolume&, const hypervisor::DiskSource&,
                                                      const std::string& /*password*/) {
    return std::nullopt;
  }
  // Whether nothing is on it that could be lost. Of devices, and of what somebody else keeps on the network, not all
  // is read.
  virtual Result<bool> isBlank(const kinds::PersistentVolume&, const hypervisor::DiskSource&,
                               const std::string& /*password*/) {
    return true;
  }
  // Removes the bytes and the directory that was made for them. Succeeds when there are none.
  virtual Result<> remove(const kinds::PersistentVolume& volume) = 0;
};

}  // namespace godwit::storage
