#pragma once

#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"
#include "hypervisor/sieve.hpp"

namespace godwit::hypervisor::libvirt {

// How libvirt is told of a migration: the parameters of its call, made before it.
class Migration {
 public:
  // Invalid when a socket's path would be too long, NotFound when a disk to copy is not there.
  static Result<Migration> plan(virDomain& domain, const MigrationOrder& order);

  Migration(Migration&& other) noexcept;
  Migration& operator=(Migration&&) = delete;
  ~Migration();

  // The daemons do it by themselves; returns when the source's part is over.
  Result<> run(virDomain& domain) const;
  // The caller is its client: it ends when that does.
  Result<> run(virDomain& domain, virConnect& target) const;

  // What keeps the order's thin disks thin, for as long as they are copied: to be called when the target listens for
  // disks, and the source does not send any yet. Nothing when there are none.
  Result<std::unique_ptr<Sieve>> putSieve() const;

 private:
  explicit Migration(const MigrationOrder& order);
  Result<> limitDowntime(virDomain& domain) const;
  Result<> add(const char* parameter, const std::string& value);
  Result<> addBandwidth(const char* parameter, std::int64_t bytesPerSecond);
  Result<> addSockets(const MigrationOrder& order, const std::string& uuid);
  Result<> addAddress(const std::string& address);
  Result<> noteThinDisks(virDomain& domain, const MigrationOrder& order);

  std::string targetUri_;
  unsigned flags_;
  Tuning tuning_;
  std::string disksSocket_;
  std::size_t disks_ = 0;  // that are copied
  Sieve::Disks thinDisks_;
  virTypedParameterPtr parameters_ = nullptr;
  int count_ = 0;
  int capacity_ = 0;
};

// Makes QEMU hang up on the target, for a migration that is to end and cannot: what was sent into a network that is
// cut is waited for as long as TCP does. The guest does not notice.
void hangUp(virDomain& domain);

}  // namespace godwit::hypervisor::libvirt
