#include "hypervisor/libvirt/migration.hpp"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <libvirt/libvirt-qemu.h>

#include "base/unix_socket.hpp"
#include "hypervisor/libvirt/domain_xml.hpp"
#include "hypervisor/libvirt/inspection.hpp"
#include "hypervisor/libvirt/outgoing.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

// What is unsafe about a shared file, a cache of the host, is off on all disks.
constexpr unsigned kFlags = VIR_MIGRATE_LIVE | VIR_MIGRATE_UNSAFE;
// Before the target lets the guest run it puts it on record, where it stays when the guest ends: whoever comes later
// can tell a guest that has gone on there from one that never did.
constexpr unsigned kOnRecord = VIR_MIGRATE_PERSIST_DEST | VIR_MIGRATE_UNDEFINE_SOURCE;

// What is sent before post-copy begins: so little that it cannot be all before somebody has begun it, and the guest
// has not gone on at the target before its source knows.
constexpr std::int64_t kTrickle = 1 << 20;

unsigned flagsFor(const MigrationOrder& order) {
  // The daemons arrange a post-copy between themselves: it shall not end with whoever has begun it.
  unsigned flags = kFlags | (order.postCopy ? VIR_MIGRATE_PEER2PEER | VIR_MIGRATE_POSTCOPY : kOnRecord);
  if (!order.copyDisks.empty()) flags |= VIR_MIGRATE_NON_SHARED_DISK;
  if (order.encrypted) flags |= VIR_MIGRATE_TLS;
  if (order.autoConverge) flags |= VIR_MIGRATE_AUTO_CONVERGE;
  return flags;
}

// A socket for one domain's move. The same domain's name is the same each time, so what a
// killed QEMU has left behind is found and removed.
Result<std::string> freshSocket(const std::string& directory, const std::string& uuid, const char* purpose) {
  const std::string path = fmt::format("{}/{:016x}.{}", directory, std::hash<std::string>{}(uuid), purpose);
  if (path.size() >= sizeof sockaddr_un::sun_path)
    return fail(Code::Invalid, fmt::format("{} is too long for a socket", path));
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return path;
}

}  // namespace

Migration::Migration(const MigrationOrder& order)
    : targetUri_(order.targetUri), flags_(flagsFor(order)), tuning_(order.tuning), disks_(order.copyDisks.size()) {}

Migration::Migration(Migration&& other) noexcept
    : targetUri_(std::move(other.targetUri_)),
      flags_(other.flags_),
      tuning_(other.tuning_),
      disksSocket_(std::move(other.disksSocket_)),
      disks_(other.disks_),
      thinDisks_(std::move(other.thinDisks_)),
      parameters_(std::exchange(other.parameters_, nullptr)),
      count_(std::exchange(other.count_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

Migration::~Migration() { virTypedParamsFree(parameters_, count_); }

Result<Migration> Migration::plan(virDomain& domain, const MigrationOrder& order) {
  const std::string xml = takeText(virDomainGetXMLDesc(&domain, VIR_DOMAIN_XML_MIGRATABLE));
  if (xml.empty()) return fail(lastError());
  const std::string elsewhere = TRY(relocated(xml, {.disks = order.copyDisks, .consoleFile = order.targetConsoleFile}));
  const std::string uuid = TRY(readDomainXml(xml)).uuid;
  Migration migration(order);
  TRY(migration.add(VIR_MIGRATE_PARAM_DEST_XML, elsewhere));
  if (!order.postCopy) TRY(migration.add(VIR_MIGRATE_PARAM_PERSIST_XML, TRY(recordOf(elsewhere))));
  TRY(order.address.empty() ? migration.addSockets(order, uuid) : migration.addAddress(order.address));
  TRY(migration.noteThinDisks(domain, order));
  for (const auto& [disk, destination] : order.copyDisks) TRY(migration.add(VIR_MIGRATE_PARAM_MIGRATE_DISKS, disk));
  const std::int64_t bandwidth = order.tuning.bandwidthBytesPerSecond;
  if (order.postCopy) TRY(migration.addBandwidth(VIR_MIGRATE_PARAM_BANDWIDTH, kTrickle));
  if (bandwidth > 0)
    TRY(migration.addBandwidth(order.postCopy ? VIR_MIGRATE_PARAM_BANDWIDTH_POSTCOPY : VIR_MIGRATE_PARAM_BANDWIDTH,
                               bandwidth));
  return migration;
}

Result<> Migration::addBandwidth(const char* parameter, std::int64_t bytesPerSecond) {
  if (virTypedParamsAddULLong(&parameters_, &count_, &capacity_, parameter, mebibytesOf(bytesPerSecond)) < 0)
    return fail(lastError());
  return {};
}

Result<> Migration::run(virDomain& domain) const {
  TRY(limitDowntime(domain));
  if (virDomainMigrateToURI3(&domain, targetUri_.c_str(), parameters_, static_cast<unsigned>(count_), flags_) < 0)
    return fail(lastError());
  return {};
}

Result<> Migration::run(virDomain& domain, virConnect& target) const {
  TRY(limitDowntime(domain));
  virDomain* const arrived = virDomainMigrate3(&domain, &target, parameters_, static_cast<unsigned>(count_), flags_);
  if (!arrived) return fail(lastError());
  virDomainFree(arrived);
  return {};
}

Result<> Migration::limitDowntime(virDomain& domain) const {
  const auto limit = static_cast<unsigned long long>(tuning_.maxDowntimeMs);
  if (limit > 0 && virDomainMigrateSetMaxDowntime(&domain, limit, 0) < 0) return fail(lastError());
  return {};
}

Result<> Migration::add(const char* parameter, const std::string& value) {
  if (virTypedParamsAddString(&parameters_, &count_, &capacity_, parameter, value.c_str()) < 0)
    return fail(lastError());
  return {};
}

Result<> Migration::addSockets(const MigrationOrder& order, const std::string& uuid) {
  const std::string memory = TRY(freshSocket(order.socketDirectory, uuid, "mem"));
  TRY(add(VIR_MIGRATE_PARAM_URI, "unix://" + memory));
  if (order.copyDisks.empty()) return {};
  disksSocket_ = TRY(freshSocket(order.socketDirectory, uuid, "nbd"));
  return add(VIR_MIGRATE_PARAM_DISKS_URI, "unix://" + disksSocket_);
}

// Disks go where memory goes, unless something else is said.
Result<> Migration::addAddress(const std::string& address) {
  const bool v6 = address.find(':') != std::string::npos;
  TRY(add(VIR_MIGRATE_PARAM_URI, fmt::format(fmt::runtime(v6 ? "tcp://[{}]" : "tcp://{}"), address)));
  return add(VIR_MIGRATE_PARAM_LISTEN_ADDRESS, address);
}

// By libvirt's names for the disks that the target takes in.
Result<> Migration::noteThinDisks(virDomain& domain, const MigrationOrder& order) {
  if (disksSocket_.empty()) return {};
  for (const auto& [disk, blank] : order.thinDisks) thinDisks_.emplace("drive-" + TRY(aliasOf(domain, disk)), blank);
  return {};
}

// The source comes to the socket that it knows, once for each disk. Whoever made it may be another user than this one,
// and the same one as the source.
Result<std::unique_ptr<Sieve>> Migration::putSieve() const {
  if (thinDisks_.empty()) return nullptr;
  std::vector<Descriptor> lines;
  while (lines.size() < disks_) lines.push_back(TRY(connectTo(disksSocket_)));
  struct stat owner {};
  const bool known = stat(disksSocket_.c_str(), &owner) == 0;
  auto sieve = TRY(Sieve::open(disksSocket_, std::move(lines), thinDisks_));
  if (!known || chown(disksSocket_.c_str(), owner.st_uid, owner.st_gid) < 0)
    return fail(Code::Internal, fmt::format("cannot give {} away: {}", disksSocket_, std::strerror(errno)));
  return sieve;
}

void hangUp(virDomain& domain) {
  const auto yank = [&](const std::string& line) {
    const std::string command = fmt::format(R"({{"execute":"yank","arguments":{{"instances":[{{{}}}]}}}})", line);
    char* answer = nullptr;
    // A line that is not there is no longer to be cut.
    (void)virDomainQemuMonitorCommand(&domain, command.c_str(), &answer, VIR_DOMAIN_QEMU_MONITOR_COMMAND_DEFAULT);
    takeText(answer);
  };
  yank(R"("type":"migration")");
  const auto state = inspect(domain);
  if (!state) return;
  // By libvirt's name for where a disk is copied to.
  for (const DiskState& disk : state->disks)
    yank(fmt::format(R"("type":"block-node","node-name":"migration-{}-storage")", disk.target));
}

}  // namespace godwit::hypervisor::libvirt
