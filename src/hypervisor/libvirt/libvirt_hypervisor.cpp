#include "hypervisor/libvirt/libvirt_hypervisor.hpp"

#include <utility>

#include <fmt/format.h>

#include "hypervisor/libvirt/departures.hpp"
#include "hypervisor/libvirt/fence.hpp"
#include "hypervisor/libvirt/inspection.hpp"
#include "hypervisor/libvirt/migration.hpp"
#include "hypervisor/libvirt/mirroring.hpp"
#include "hypervisor/libvirt/outgoing.hpp"
#include "hypervisor/libvirt/plugging.hpp"
#include "hypervisor/libvirt/processor_match.hpp"
#include "hypervisor/libvirt/processors.hpp"
#include "hypervisor/libvirt/qemu_process.hpp"
#include "hypervisor/libvirt/secret.hpp"
#include "hypervisor/libvirt/session.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

class LibvirtHypervisor final : public Hypervisor {
 public:
  LibvirtHypervisor(EventLoop& loop, const LibvirtConfig& config) : config_(config), session_(loop, config) {}

  Result<> reach() {
    return session_.connection().map([](const Connection&) {});
  }

  Result<Processors> processors() override;
  Result<std::vector<DomainState>> list() override;
  Result<DomainState> describe(const std::string& domain) override;
  Result<RunState> runStateOf(const std::string& domain) override;
  Result<> keepSecret(Protocol protocol, const std::string& name, const std::string& password) override;
  Result<> start(const DomainSpec& spec) override;
  Result<> destroy(const std::string& domain) override;
  Result<> shutdown(const std::string& domain) override;
  Ending endingOf(const std::string& domain) override { return session_.endingOf(domain); }
  Result<> pause(const std::string& domain) override;
  Result<> resume(const std::string& domain) override;
  Result<> attachDisk(const std::string& domain, const Disk& disk) override;
  Result<> detachDisk(const std::string& domain, const std::string& disk) override;
  Result<> beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination) override;
  Result<> pivot(const std::string& domain, const std::string& disk) override;
  Result<> cancelCopy(const std::string& domain, const std::string& disk) override;
  Result<std::int64_t> diskSize(const std::string& domain, const std::string& disk) override;
  Result<> resize(const std::string& domain, const std::string& disk, std::int64_t bytes) override;
  Result<std::string> processorOf(const std::string& domain) override;
  Result<std::vector<std::string>> lackingFeatures(const std::string& processor) override;
  Result<> beginMigration(const MigrationOrder& order, std::function<void(Result<>)> ended) override;
  Result<> tune(const std::string& domain, const Tuning& tuning) override;
  Result<> hold(const std::string& domain) override;
  Result<> startPostCopy(const std::string& domain) override;
  Result<> cancelMigration(const std::string& domain) override;
  Result<Fencing> fence(const std::string& domain) override;
  Result<> thaw(const std::string& domain) override;
  void whenChanged(std::function<void(const std::string&)> changed) override {
    session_.whenChanged(std::move(changed));
  }

 private:
  // Nothing when the domain is not there.
  Result<std::optional<Domain>> findIfThere(const std::string& domain);
  Result<DomainState> stateOf(virDomain& domain);
  // A domain that is not on its way elsewhere.
  Result<Domain> findSettled(const std::string& domain);
  Result<Fencing> fenceDead(const std::string& domain);
  void holdProcess(const std::string& domain);
  Result<std::optional<QemuProcess>> processOf(const std::string& domain);

  const LibvirtConfig config_;
  Session session_;
  Fence fence_;
  Mutex mutex_;
  std::map<std::string, QemuProcess> departing_ GUARDED_BY(mutex_);  // by domain, since its migration began
  Departures departures_;                                            // ends before the session does
};

Result<std::optional<Domain>> LibvirtHypervisor::findIfThere(const std::string& domain) {
  auto found = session_.find(domain);
  if (found) return std::optional(std::move(*found));
  if (found.error().code == Code::NotFound) return std::nullopt;
  return fail(std::move(found).error());
}

Result<DomainState> LibvirtHypervisor::stateOf(virDomain& domain) {
  DomainState state = TRY(inspect(domain));
  // The daemon may not yet have begun, or no longer be about, what the departure's thread is waiting for.
  if (!state.outgoing && departures_.underWay(state.name)) state.outgoing = MigrationProgress{};
  return state;
}

Result<Processors> LibvirtHypervisor::processors() {
  return session_.learn([&](const Connection& connection) { return processorsOf(connection, config_.machine); });
}

Result<std::vector<DomainState>> LibvirtHypervisor::list() {
  return session_.learn([&](const Connection& connection) -> Result<std::vector<DomainState>> {
    std::vector<DomainState> states;
    const std::vector<Domain> domains = TRY(activeDomains(connection));
    for (const Domain& domain : domains) {
      auto state = stateOf(*domain);
      if (state) states.push_back(std::move(*state));
      // It ended between the two questions.
      else if (state.error().code != Code::NotFound)
        return fail(std::move(state).error());
    }
    return states;
  });
}

Result<DomainState> LibvirtHypervisor::describe(const std::string& domain) {
  const Domain found = TRY(session_.find(domain));
  return stateOf(*found);
}

Result<RunState> LibvirtHypervisor::runStateOf(const std::string& domain) {
  const Domain found = TRY(session_.find(domain));
  return libvirt::runStateOf(*found);
}

Result<> LibvirtHypervisor::keepSecret(Protocol protocol, const std::string& name, const std::string& password) {
  const Connection connection = TRY(session_.connection());
  return libvirt::keepSecret(connection, protocol, name, password);
}

Result<> LibvirtHypervisor::start(const DomainSpec& spec) {
  const Connection connection = TRY(session_.connection());
  const unsigned flags = spec.paused ? VIR_DOMAIN_START_PAUSED : VIR_DOMAIN_NONE;
  if (virDomain* const started =
          virDomainCreateXML(connection.get(), domainXml(spec, config_.machine).c_str(), flags)) {
    virDomainFree(started);
    return {};
  }
  const Error error = lastError();
  // libvirt has no code of its own for this, and what fails to start is not there.
  if (TRY(findIfThere(spec.name))) return fail(Code::AlreadyExists, fmt::format("{} is already here", spec.name));
  return fail(within(spec.name, error));
}

Result<> LibvirtHypervisor::destroy(const std::string& domain) {
  const auto found = TRY(findIfThere(domain));
  if (!found || virDomainDestroy(found->get()) == 0) return {};
  const Error error = lastError();
  if (!TRY(findIfThere(domain))) return {};
  return fail(within(domain, error));
}

Result<> LibvirtHypervisor::shutdown(const std::string& domain) {
  const auto found = TRY(findIfThere(domain));
  if (!found || virDomainShutdownFlags(found->get(), VIR_DOMAIN_SHUTDOWN_ACPI_POWER_BTN) == 0) return {};
  const Error error = lastError();
  if (!TRY(findIfThere(domain))) return {};
  return fail(within(domain, error));
}

Result<> LibvirtHypervisor::pause(const std::string& domain) {
  const Domain found = TRY(session_.find(domain));
  const DomainState state = TRY(stateOf(*found));
  if (state.outgoing || state.state == RunState::InTransit || state.state == RunState::LeftBehind)
    return fail(Code::Conflict, fmt::format("a migration of {} is under way", domain));
  if (state.state == RunState::Paused) return {};
  if (virDomainSuspend(found.get()) < 0) return fail(within(domain, lastError()));
  return {};
}

Result<Domain> LibvirtHypervisor::findSettled(const std::string& domain) {
  Domain found = TRY(session_.find(domain));
  if (TRY(stateOf(*found)).outgoing) return fail(Code::Conflict, fmt::format("{} is on its way", domain));
  return found;
}

Result<> LibvirtHypervisor::attachDisk(const std::string& domain, const Disk& disk) {
  const Domain found = TRY(findSettled(domain));
  return attach(*found, disk);
}

Result<> LibvirtHypervisor::detachDisk(const std::string& domain, const std::string& disk) {
  const Domain found = TRY(findSettled(domain));
  return detach(*found, disk);
}

Result<> LibvirtHypervisor::resume(const std::string& domain) {
  const Domain found = TRY(session_.find(domain));
  const RunState state = TRY(libvirt::runStateOf(*found));
  if (state == RunState::Running) return {};
  if (state == RunState::LeftBehind || (state == RunState::InTransit && isBusy(*found)))
    return fail(Code::Conflict, fmt::format("a migration of {} is under way", domain));
  if (virDomainResume(found.get()) < 0) return fail(within(domain, lastError()));
  return {};
}

Result<> LibvirtHypervisor::beginCopy(const std::string& domain, const std::string& disk,
                                      const DiskSource& destination) {
  const Domain found = TRY(findSettled(domain));
  return beginMirror(*found, disk, destination);
}

Result<> LibvirtHypervisor::pivot(const std::string& domain, const std::string& disk) {
  const Domain found = TRY(session_.find(domain));
  return pivotMirror(*found, disk);
}

Result<> LibvirtHypervisor::cancelCopy(const std::string& domain, const std::string& disk) {
  const auto found = TRY(findIfThere(domain));
  return found ? cancelMirror(**found, disk) : Result<>{};
}

Result<std::int64_t> LibvirtHypervisor::diskSize(const std::string& domain, const std::string& disk) {
  const Domain found = TRY(session_.find(domain));
  TRY(findDisk(*found, disk));
  return sizeOfDisk(*found, disk);
}

Result<> LibvirtHypervisor::resize(const std::string& domain, const std::string& disk, std::int64_t bytes) {
  const Domain found = TRY(findSettled(domain));
  return resizeDisk(*found, disk, bytes);
}

Result<std::string> LibvirtHypervisor::processorOf(const std::string& domain) {
  const Domain found = TRY(session_.find(domain));
  return libvirt::processorOf(*found);
}

Result<std::vector<std::string>> LibvirtHypervisor::lackingFeatures(const std::string& processor) {
  const Connection connection = TRY(session_.connection());
  return libvirt::lackingFeatures(*connection, processor);
}

Result<> LibvirtHypervisor::beginMigration(const MigrationOrder& order, std::function<void(Result<>)> ended) {
  const Domain domain = TRY(session_.find(order.domain));
  const DomainState state = TRY(inspect(*domain));
  if (state.state != RunState::Running) return fail(Code::Conflict, fmt::format("{} does not run", order.domain));
  if (isCopying(state)) return fail(Code::Conflict, fmt::format("a disk of {} is being copied", order.domain));
  if (state.outgoing) return fail(Code::Conflict, fmt::format("{} is already on its way", order.domain));
  const auto migration = std::make_shared<Migration>(TRY(Migration::plan(*domain, order)));
  holdProcess(order.domain);
  return departures_.begin(
      order.domain, [domain, migration] { return migration->run(*domain); }, std::move(ended));
}

Result<> LibvirtHypervisor::tune(const std::string& domain, const Tuning& tuning) {
  const Domain found = TRY(session_.find(domain));
  return tuneCopies(*found, tuning);
}

Result<> LibvirtHypervisor::hold(const std::string& domain) {
  const Domain found = TRY(session_.find(domain));
  return holdGuest(*found);
}

Result<> LibvirtHypervisor::startPostCopy(const std::string& domain) {
  const Domain found = TRY(session_.find(domain));
  return startPostCopyOf(*found).map_error([&](Error error) { return within(domain, std::move(error)); });
}

Result<> LibvirtHypervisor::cancelMigration(const std::string& domain) {
  return departures_.cancel(domain, [&] { return findIfThere(domain); });
}

// To find it takes a while, and when it is to be shut out, the guest stands still.
void LibvirtHypervisor::holdProcess(const std::string& domain) {
  auto process = QemuProcess::find({config_.qemuPidDirectory, config_.processBesideDaemon}, domain);
  const Lock lock(mutex_);
  departing_.erase(domain);
  if (process && *process) departing_.emplace(domain, std::move(**process));
}

// The one that was held; if that is dead, there may be another one of that name.
Result<std::optional<QemuProcess>> LibvirtHypervisor::processOf(const std::string& domain) {
  {
    const Lock lock(mutex_);
    auto held = departing_.extract(domain);
    if (held && !held.mapped().isDead()) return std::optional(std::move(held.mapped()));
  }
  return QemuProcess::find({config_.qemuPidDirectory, config_.processBesideDaemon}, domain);
}

Result<Fencing> LibvirtHypervisor::fence(const std::string& domain) {
  auto process = processOf(domain);
  if (!process && process.error().code == Code::NotFound) return fenceDead(domain);
  if (!process) return fail(std::move(process).error());
  if (!*process) return Fencing::Fenced;
  const auto standing = [this, domain]() -> Result<Standing> {
    const Connection connection = TRY(session_.connection());
    return standingOf(connection, domain);
  };
  return fence_.shut(standing, **process).map_error([&](Error error) { return within(domain, std::move(error)); });
}

Result<> LibvirtHypervisor::thaw(const std::string& domain) {
  auto process = QemuProcess::find({config_.qemuPidDirectory, config_.processBesideDaemon}, domain);
  if (process && *process) return (*process)->thaw();
  return process || process.error().code == Code::NotFound ? Result<>{} : fail(std::move(process).error());
}

// Without a process on record only a domain that is not there is certain to be dead.
Result<Fencing> LibvirtHypervisor::fenceDead(const std::string& domain) {
  if (!TRY(findIfThere(domain))) return Fencing::Fenced;
  return fail(Code::Unavailable, fmt::format("the process of {} is not on record", domain));
}

}  // namespace

Result<std::unique_ptr<Hypervisor>> connect(EventLoop& loop, const LibvirtConfig& config) {
  auto hypervisor = std::make_unique<LibvirtHypervisor>(loop, config);
  TRY(hypervisor->reach());
  return hypervisor;
}

std::unique_ptr<Hypervisor> connectLater(EventLoop& loop, const LibvirtConfig& config) {
  return std::make_unique<LibvirtHypervisor>(loop, config);
}

}  // namespace godwit::hypervisor::libvirt
