#include "hypervisor/libvirt/libvirt_hypervisor.hpp"

#include <utility>

#include <fmt/format.h>

#include "hypervisor/libvirt/daemon_ping.hpp"
#include "hypervisor/libvirt/departures.hpp"
#include "hypervisor/libvirt/handover.hpp"
#include "hypervisor/libvirt/inspection.hpp"
#include "hypervisor/libvirt/migration.hpp"
#include "hypervisor/libvirt/mirroring.hpp"
#include "hypervisor/libvirt/outgoing.hpp"
#include "hypervisor/libvirt/plugging.hpp"
#include "hypervisor/libvirt/process_control.hpp"
#include "hypervisor/libvirt/processor_match.hpp"
#include "hypervisor/libvirt/processors.hpp"
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
  Result<> forgetArrival(const std::string& domain) override;
  Result<> keepSecret(Protocol protocol, const std::string& name, const std::string& password) override;
  Result<> start(const DomainSpec& spec) override;
  Result<> destroy(const std::string& domain) override;
  Result<> shutdown(const std::string& domain) override;
  Ending endingOf(const std::string& domain) override { return session_.endingOf(domain); }
  Result<> pause(const std::string& domain) override;
  Result<> resume(const std::string& domain) override;
  Result<> attachDisk(const std::string& domain, const Disk& disk) override;
  Result<> detachDisk(const std::string& domain, const std::string& disk) override;
  Result<> beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination,
                     std::int64_t bytesPerSecond, const std::string& through) override;
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
  Result<Fencing> fence(const std::string& domain) override { return processes_.fence(domain); }
  bool isShutOut(const std::string& domain) override { return processes_.isShutOut(domain); }
  void whenChanged(std::function<void(const std::string&)> changed) override {
    session_.whenChanged(std::move(changed));
  }

 private:
  // A domain that is not handed over before what this returns is let go of; Conflict when it is already.
  Result<Domain> findAwake(const std::string& domain);
  // Nothing when the domain is not there.
  Result<std::optional<Domain>> findIfThere(const std::string& domain);
  Result<DomainState> stateOf(virDomain& domain);
  // A domain that is not on its way elsewhere.
  Result<Domain> findSettled(const std::string& domain);
  DomainState handedOver(const std::string& domain);

  const LibvirtConfig config_;
  Session session_;
  ProcessControl processes_{config_, session_};
  Departures departures_;  // ends before the session does
};

Result<Domain> LibvirtHypervisor::findAwake(const std::string& domain) {
  const auto question = processes_.ask(domain);
  if (!question) return fail(Code::Conflict, fmt::format("{} is handed over", domain));
  const Domain found = TRY(session_.find(domain));
  return Domain(found.get(), [found, question](virDomain*) {});
}

Result<std::optional<Domain>> LibvirtHypervisor::findIfThere(const std::string& domain) {
  auto found = findAwake(domain);
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

// Its QEMU answers nothing, and its daemon perhaps nothing either.
DomainState LibvirtHypervisor::handedOver(const std::string& domain) {
  DomainState still{.name = domain, .uuid = {}, .owner = {}, .state = RunState::InTransit};
  if (departures_.underWay(domain)) still.outgoing = MigrationProgress{};
  return still;
}

Result<DomainState> LibvirtHypervisor::describe(const std::string& domain) {
  if (processes_.isHandedOver(domain)) return handedOver(domain);
  const Domain found = TRY(findAwake(domain));
  return stateOf(*found);
}

Result<RunState> LibvirtHypervisor::runStateOf(const std::string& domain) {
  if (processes_.isHandedOver(domain)) return RunState::InTransit;
  const auto found = findAwake(domain);
  if (found) return libvirt::runStateOf(**found);
  if (found.error().code != Code::NotFound) return fail(found.error());
  const Connection connection = TRY(session_.connection());
  return fail(whatBecameOf(connection, domain));
}

Result<> LibvirtHypervisor::forgetArrival(const std::string& domain) {
  const Connection connection = TRY(session_.connection());
  const auto recorded = findRecord(connection, domain);
  if (!recorded) return recorded.error().code == Code::NotFound ? Result<>{} : fail(recorded.error());
  if (virDomainIsPersistent(recorded->get()) == 1 && virDomainUndefine(recorded->get()) < 0)
    return fail(within(domain, lastError()));
  return {};
}

Result<> LibvirtHypervisor::keepSecret(Protocol protocol, const std::string& name, const std::string& password) {
  const Connection connection = TRY(session_.connection());
  return libvirt::keepSecret(connection, protocol, name, password);
}

Result<> LibvirtHypervisor::start(const DomainSpec& spec) {
  TRY(forgetArrival(spec.name));
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

// While the call that hands it over is under way, the target may be about to let the guest run.
Result<> LibvirtHypervisor::resume(const std::string& domain) {
  if (processes_.isHandedOver(domain) && departures_.underWay(domain))
    return fail(Code::Conflict, fmt::format("{} is being handed over", domain));
  TRY(processes_.letBack(domain));
  const Domain found = TRY(session_.find(domain));
  const RunState state = TRY(libvirt::runStateOf(*found));
  if (state == RunState::Running) return {};
  if (state == RunState::LeftBehind || (state == RunState::InTransit && isBusy(*found)))
    return fail(Code::Conflict, fmt::format("a migration of {} is under way", domain));
  if (virDomainResume(found.get()) < 0) return fail(within(domain, lastError()));
  return {};
}

Result<> LibvirtHypervisor::beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination,
                                      std::int64_t bytesPerSecond, const std::string& through) {
  const Domain found = TRY(findSettled(domain));
  return beginMirror(*found, disk, destination, bytesPerSecond, through);
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
  const auto departing = TRY(processes_.departing(order.domain));
  const auto leave = [this, domain, migration, departing, order] {
    return order.postCopy ? migration->run(*domain) : Handover(config_, order, departing).run(*migration);
  };
  TRY(departures_.begin(order.domain, leave, std::move(ended)));
  processes_.keep(order.domain, departing);
  return {};
}

Result<> LibvirtHypervisor::tune(const std::string& domain, const Tuning& tuning) {
  const Domain found = TRY(findAwake(domain));
  return tuneCopies(*found, tuning);
}

Result<> LibvirtHypervisor::hold(const std::string& domain) {
  const Domain found = TRY(findAwake(domain));
  return holdGuest(*found);
}

Result<> LibvirtHypervisor::startPostCopy(const std::string& domain) {
  const Domain found = TRY(findAwake(domain));
  return startPostCopyOf(*found).map_error([&](Error error) { return within(domain, std::move(error)); });
}

// Too late for one that is handed over: only the target knows what becomes of it.
Result<> LibvirtHypervisor::cancelMigration(const std::string& domain) {
  if (processes_.isHandedOver(domain)) return {};
  return departures_.cancel(domain, [&] { return findIfThere(domain); });
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
