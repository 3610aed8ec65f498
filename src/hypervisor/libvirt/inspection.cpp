#include "hypervisor/libvirt/inspection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "hypervisor/libvirt/domain_xml.hpp"
#include "hypervisor/libvirt/outgoing.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

struct LifeAndReason {
  int life = VIR_DOMAIN_NOSTATE;
  int reason = 0;
};

Result<LifeAndReason> lifeOf(virDomain& domain) {
  LifeAndReason found;
  if (virDomainGetState(&domain, &found.life, &found.reason, 0) < 0) return fail(lastError());
  return found;
}

bool isDead(int life) { return life == VIR_DOMAIN_SHUTOFF || life == VIR_DOMAIN_CRASHED; }

RunState runStateOf(const LifeAndReason& found) {
  if (found.life == VIR_DOMAIN_PMSUSPENDED) return RunState::Paused;
  // It runs until it needs what will never come.
  if (found.life == VIR_DOMAIN_RUNNING && found.reason == VIR_DOMAIN_RUNNING_POSTCOPY_FAILED)
    return RunState::InTransit;
  if (found.life != VIR_DOMAIN_PAUSED) return RunState::Running;
  if (found.reason == VIR_DOMAIN_PAUSED_POSTCOPY || found.reason == VIR_DOMAIN_PAUSED_POSTCOPY_FAILED)
    return RunState::LeftBehind;
  const bool moving = found.reason == VIR_DOMAIN_PAUSED_MIGRATION || found.reason == VIR_DOMAIN_PAUSED_STARTING_UP;
  return moving ? RunState::InTransit : RunState::Paused;
}

Result<RunState> runStateOf(virDomain& domain, const LifeAndReason& found) {
  if (isDead(found.life)) return fail(Code::NotFound, fmt::format("{} has ended", virDomainGetName(&domain)));
  const RunState state = runStateOf(found);
  // Until the job has ended too, a daemon that is started again destroys what has arrived.
  return state == RunState::Paused && isBusy(domain) ? RunState::InTransit : state;
}

void fillProgress(virDomain& domain, DomainState& state) {
  state.outgoing = outgoingProgress(domain);
  const bool disksGoAlong = state.outgoing && state.outgoing->disksTotal > 0;
  for (DiskState& disk : state.disks) {
    if (!disk.mirror && !disksGoAlong) continue;
    const auto copied = copyProgress(domain, disk.target);
    if (copied && disk.mirror) {
      disk.mirror->bytesDone = copied->bytesDone;
      disk.mirror->bytesTotal = copied->bytesTotal;
    } else if (copied) {
      state.outgoing->disks.push_back(*copied);
    }
  }
}

Result<std::string> liveXml(virDomain& domain) {
  std::string xml = takeText(virDomainGetXMLDesc(&domain, 0));
  if (xml.empty()) return fail(lastError());
  return xml;
}

Result<DomainState> readLive(virDomain& domain) { return readDomainXml(TRY(liveXml(domain))); }

}  // namespace

Result<DomainState> inspect(virDomain& domain) {
  DomainState state = TRY(readLive(domain));
  const LifeAndReason found = TRY(lifeOf(domain));
  state.state = TRY(runStateOf(domain, found));
  fillProgress(domain, state);
  // libvirt keeps the job of a post-copy that has failed, for somebody to take it up again.
  if (found.life == VIR_DOMAIN_PAUSED && found.reason == VIR_DOMAIN_PAUSED_POSTCOPY_FAILED) state.outgoing.reset();
  return state;
}

Result<RunState> runStateOf(virDomain& domain) { return runStateOf(domain, TRY(lifeOf(domain))); }

// A daemon that could not let an arrival run says that it failed.
Error whatBecameOf(const Connection& connection, const std::string& domain) {
  const auto recorded = findRecord(connection, domain);
  if (!recorded) return recorded.error();
  const auto found = lifeOf(**recorded);
  if (!found) return found.error();
  const bool neverWentOn = found->reason == VIR_DOMAIN_SHUTOFF_FAILED;
  return {neverWentOn ? Code::NotFound : Code::Gone, fmt::format("{} has ended", domain)};
}

Result<DiskState> findDisk(virDomain& domain, const std::string& disk) {
  const DomainState state = TRY(readLive(domain));
  const auto found = std::find_if(state.disks.begin(), state.disks.end(),
                                  [&](const DiskState& candidate) { return candidate.target == disk; });
  if (found == state.disks.end()) return fail(Code::NotFound, fmt::format("{} has no disk {}", state.name, disk));
  return *found;
}

Result<std::int64_t> sizeOfDisk(virDomain& domain, const std::string& disk) {
  virDomainBlockInfo found;
  if (virDomainGetBlockInfo(&domain, disk.c_str(), &found, 0) < 0) return fail(within(disk, lastError()));
  return static_cast<std::int64_t>(found.capacity);
}

Result<std::string> liveDiskXml(virDomain& domain, const std::string& disk) {
  return diskIn(TRY(liveXml(domain)), disk);
}

Result<std::string> aliasOf(virDomain& domain, const std::string& disk) { return aliasIn(TRY(liveXml(domain)), disk); }

bool isCopying(const DomainState& state) {
  return std::any_of(state.disks.begin(), state.disks.end(),
                     [](const DiskState& disk) { return disk.mirror.has_value(); });
}

bool isBusy(virDomain& domain) {
  virDomainJobInfo job{};
  return virDomainGetJobInfo(&domain, &job) == 0 && job.type != VIR_DOMAIN_JOB_NONE;
}

Result<Standing> standingOf(const Connection& connection, const std::string& name) {
  const auto found = findDomain(connection, name).and_then([](const Domain& domain) { return lifeOf(*domain); });
  if (!found && found.error().code == Code::NotFound) return Standing::Gone;
  if (!found) return fail(found.error());
  if (isDead(found->life)) return Standing::Gone;
  if (found->life == VIR_DOMAIN_RUNNING || found->life == VIR_DOMAIN_BLOCKED) return Standing::Running;
  const bool handedOver = found->life == VIR_DOMAIN_PAUSED && found->reason == VIR_DOMAIN_PAUSED_MIGRATION;
  return handedOver ? Standing::HandedOver : Standing::Otherwise;
}

}  // namespace godwit::hypervisor::libvirt
