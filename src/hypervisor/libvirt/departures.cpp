#include "hypervisor/libvirt/departures.hpp"

#include <utility>

#include <fmt/format.h>

namespace godwit::hypervisor::libvirt {

Result<> Departures::begin(const std::string& domain, std::function<Result<>()> migrate,
                           std::function<void(Result<>)> ended) {
  std::jthread before;
  const Lock lock(mutex_);
  if (isUnderWay(domain)) return fail(Code::Conflict, fmt::format("{} is already on its way", domain));
  Departure& departure = departures_[domain];
  // Joined without the lock, once this function is left: its `ended` may call in here.
  before = std::move(departure.thread);
  departure.underWay = true;
  departure.thread = std::jthread([this, domain, migrate = std::move(migrate), ended = std::move(ended)] {
    auto outcome = migrate();
    markEnded(domain);
    ended(std::move(outcome));
  });
  return {};
}

bool Departures::underWay(const std::string& domain) {
  const Lock lock(mutex_);
  return isUnderWay(domain);
}

bool Departures::waitForEnd(const std::string& domain, std::chrono::milliseconds patience) {
  const Lock lock(mutex_);
  return changed_.waitFor(mutex_, {}, patience, [&]() REQUIRES(mutex_) { return !isUnderWay(domain); });
}

bool Departures::isUnderWay(const std::string& domain) {
  const auto found = departures_.find(domain);
  return found != departures_.end() && found->second.underWay;
}

void Departures::markEnded(const std::string& domain) {
  const Lock lock(mutex_);
  departures_[domain].underWay = false;
  changed_.notifyAll();
}

}  // namespace godwit::hypervisor::libvirt
