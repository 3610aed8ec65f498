#include "hypervisor/libvirt/process_control.hpp"

#include <fmt/format.h>

#include "hypervisor/libvirt/daemon_ping.hpp"
#include "hypervisor/libvirt/inspection.hpp"

namespace godwit::hypervisor::libvirt {

Result<std::optional<QemuProcess>> ProcessControl::find(const std::string& domain) const {
  const std::string& told = config_.qemuPidDirectory;
  return QemuProcess::find({told.empty() ? pidDirectoryOf(config_.uri) : told, config_.processBesideDaemon}, domain);
}

Result<std::shared_ptr<Departing>> ProcessControl::departing(const std::string& domain) {
  auto process = TRY(find(domain));
  if (!process) return fail(Code::NotFound, fmt::format("{} has ended", domain));
  return std::make_shared<Departing>(std::move(*process));
}

void ProcessControl::keep(const std::string& domain, std::shared_ptr<Departing> departing) {
  const Lock lock(mutex_);
  departing_[domain] = std::move(departing);
}

std::shared_ptr<Departing> ProcessControl::departingOf(const std::string& domain) {
  const Lock lock(mutex_);
  const auto found = departing_.find(domain);
  return found == departing_.end() ? nullptr : found->second;
}

bool ProcessControl::isHandedOver(const std::string& domain) {
  const auto departing = departingOf(domain);
  return departing && departing->isHandedOver();
}

std::optional<std::shared_ptr<void>> ProcessControl::ask(const std::string& domain) {
  const auto departing = departingOf(domain);
  if (!departing) return std::shared_ptr<void>();
  if (!departing->beginQuestion()) return std::nullopt;
  return std::shared_ptr<void>(departing.get(), [departing](void*) { departing->endQuestion(); });
}

bool ProcessControl::isShutOut(const std::string& domain) {
  const auto process = find(domain);
  return process && *process && (*process)->isFrozen();
}

// One that is frozen was shut out before, by whoever handed it over or was about to kill it.
Result<Fencing> ProcessControl::fence(const std::string& domain) {
  auto process = find(domain);
  if (!process && process.error().code == Code::NotFound) return fenceDead(domain);
  if (!process) return fail(std::move(process).error());
  if (!*process) return Fencing::Fenced;
  if ((*process)->isFrozen()) {
    TRY((*process)->kill());
    return Fencing::Fenced;
  }
  const auto standing = [this, domain]() -> Result<Standing> {
    const Connection connection = TRY(session_.connection());
    return standingOf(connection, domain);
  };
  return fence_.shut(standing, **process).map_error([&](Error error) { return within(domain, std::move(error)); });
}

Result<> ProcessControl::letBack(const std::string& domain) {
  if (const auto departing = departingOf(domain)) return departing->takeBack();
  auto process = find(domain);
  if (process && *process && (*process)->isFrozen()) return (*process)->thaw();
  return process || process.error().code == Code::NotFound ? Result<>{} : fail(std::move(process).error());
}

// Without a process on record only a domain that is not there is certain to be dead.
Result<Fencing> ProcessControl::fenceDead(const std::string& domain) {
  const auto found = session_.find(domain);
  if (!found && found.error().code == Code::NotFound) return Fencing::Fenced;
  if (!found) return fail(found.error());
  return fail(Code::Unavailable, fmt::format("the process of {} is not on record", domain));
}

}  // namespace godwit::hypervisor::libvirt
