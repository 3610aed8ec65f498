#pragma once

#include <optional>
#include <string>

#include "hypervisor/hypervisor.hpp"
#include "object/document.hpp"
#include "schema/schema.hpp"

namespace godwit::storage {

// Bytes of a disk, in whole sectors.
struct Stretch {
  std::int64_t from = 0;
  std::int64_t length = 0;
};

// Where a disk's bytes are, as one process writes it down for another.
struct Place {
  std::string path;
  bool block = false;
  std::string format = "raw";
  std::optional<hypervisor::Remote> remote = {};  // set when that is on the network

  bool operator==(const Place&) const = default;
  static Place of(const hypervisor::DiskSource& source);
  bool isFile() const { return !block && !remote; }
  bool isRawFile() const { return isFile() && format == "raw"; }
  // The secret that has the password of its login, where qemu-img is given one.
  static constexpr const char* kLoginSecret = "login";
  // As qemu-img takes it beside its format.
  std::string qemuName() const;
  // The same of some of its bytes, for one who only reads. A guest may have them open, and a mirror's destination is
  // nobody else's to read, as QEMU sees it: so the locks by which it says so are not looked at.
  std::string qemuName(const Stretch& stretch) const;
};

}  // namespace godwit::storage

namespace godwit::schema {

template <>
inline constexpr auto names<hypervisor::Protocol> = std::to_array<std::pair<hypervisor::Protocol, std::string_view>>(
    {{hypervisor::Protocol::Iscsi, "iscsi"}, {hypervisor::Protocol::Nfs, "nfs"}, {hypervisor::Protocol::Rbd, "rbd"}});

template <>
inline constexpr auto schema<hypervisor::Host> = object(field<&hypervisor::Host::name>("name", "Name or address.",
                                                                                       required),
                                                        field<&hypervisor::Host::port>("port", "TCP port."));

template <>
inline constexpr auto schema<hypervisor::Login> =
    object(field<&hypervisor::Login::user>("user", "Who it is used by.", required),
           field<&hypervisor::Login::secret>("secret", "What the hypervisor knows the password by.", required));

template <>
inline constexpr auto schema<hypervisor::Remote> =
    object(field<&hypervisor::Remote::protocol>("protocol", "How one gets there."),
           field<&hypervisor::Remote::hosts>("hosts", "Who has it.", required),
           field<&hypervisor::Remote::initiator>("initiator", "The name to go there by."),
           field<&hypervisor::Remote::login>("login", "Who it is used by."));

template <>
inline constexpr auto schema<storage::Place> =
    object(field<&storage::Place::path>("path", "Where its bytes are.", required),
           field<&storage::Place::block>("block", "Whether that is a block device."),
           field<&storage::Place::format>("format", "raw or qcow2."),
           field<&storage::Place::remote>("remote", "Where the path is to be found if that is on the network."));

}  // namespace godwit::schema
