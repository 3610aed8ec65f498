#pragma once

#include <string>

#include "node/site.hpp"

// A volume that a disk is to be moved to, before the first byte is written.
namespace godwit::node {

struct Claims {
  std::string nameSpace;
  std::string from;
  std::string to;
  std::int64_t bytes = 0;  // of the disk, as its guest sees it; 0: nobody has looked
};

// One disk for all time, whichever instance of its VM has it and whatever it is kept on.
std::string diskId(const kinds::VirtualMachineInstance& instance, const std::string& volume);

// The volume of the claim that the disk moves to, and the bytes of the disk. Invalid when it cannot be had: too small,
// too large to be cut, of another kind of sectors, or with something on it that is nobody's to overwrite. From then on
// both volumes are on record as copies of the disk.
struct Ground {
  kinds::PersistentVolume volume;
  std::int64_t bytes = 0;
};
Result<Ground> claimGround(const Site& site, const Claims& claims, const std::string& disk);

// The same, and its image is there, with the source's size until the guest is, as mirrors want equal ends.
Result<> prepareDestination(const Site& site, const Claims& claims, const std::string& disk);

// What is on a volume that a guest has for its disk is that disk, and a copy of no other any more.
Result<> forgetOtherCopies(const Site& site, const kinds::PersistentVolume& volume, const std::string& disk);

}  // namespace godwit::node
