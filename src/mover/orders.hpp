#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "schema/schema.hpp"
#include "storage/place.hpp"

namespace godwit::mover {

struct MovedDisk {
  std::string target;  // as the guest knows it, "vda"
  std::string path;    // where its bytes go
  bool block = false;
  std::string format = "raw";
  std::optional<hypervisor::Remote> remote = {};  // set when that is on the network
  std::string claim = {};                         // that it is copied from, for people

  bool operator==(const MovedDisk&) const = default;
  static MovedDisk to(std::string target, const hypervisor::DiskSource& destination);
  hypervisor::DiskSource destination() const;
};

// All a mover needs to know. It has no credentials and asks nobody else.
struct Orders {
  std::string move;  // the migration's UID
  std::string domain;
  bool inPlace = false;
  std::string sourceUri;
  std::string targetUri;
  std::string socketDirectory;
  std::string address = {};  // set: of the target's, for memory and disks, instead of sockets
  bool encrypted = false;
  std::string targetConsoleFile;
  std::vector<MovedDisk> disks;  // that change their place
  bool verify = false;           // in place: their copies are compared before the switch-over

  bool operator==(const Orders&) const = default;
};

Result<Orders> parseOrders(std::string_view text);
std::string writeOrders(const Orders& orders);

}  // namespace godwit::mover

namespace godwit::schema {

template <>
inline constexpr auto schema<mover::MovedDisk> =
    object(field<&mover::MovedDisk::target>("target", "The disk, as the guest knows it.", required),
           field<&mover::MovedDisk::path>("path", "Where its bytes go.", required),
           field<&mover::MovedDisk::block>("block", "Whether that is a block device."),
           field<&mover::MovedDisk::format>("format", "raw or qcow2."),
           field<&mover::MovedDisk::remote>("remote", "Where the path is to be found if that is on the network."),
           field<&mover::MovedDisk::claim>("claim", "The claim that it is copied from."));

template <>
inline constexpr auto schema<mover::Orders> =
    object(field<&mover::Orders::move>("move", "UID of the migration.", required),
           field<&mover::Orders::domain>("domain", "The guest.", required),
           field<&mover::Orders::inPlace>("inPlace", "Whether only its disks move."),
           field<&mover::Orders::sourceUri>("sourceUri", "The hypervisor it is on."),
           field<&mover::Orders::targetUri>("targetUri", "The hypervisor it goes to."),
           field<&mover::Orders::socketDirectory>("socketDirectory", "A directory that both reach."),
           field<&mover::Orders::address>("address", "Where memory and disks go when they do not go through sockets."),
           field<&mover::Orders::encrypted>("encrypted", "Whether nobody else can read them there."),
           field<&mover::Orders::targetConsoleFile>("targetConsoleFile", "Where its console goes on the target."),
           field<&mover::Orders::disks>("disks", "Disks that change their place."),
           field<&mover::Orders::verify>("verify", "Whether their copies are compared before the switch-over."));

}  // namespace godwit::schema
