#include "hypervisor/libvirt/departures.hpp"

#include <utility>

#include <fmt/format.h>

#include "hypervisor/libvirt/migration.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

using std::chrono::milliseconds;

// How often, and how many times, a cancellation is repeated to a daemon that has not yet begun the migration.
constexpr milliseconds kCancelPause{50};
constexpr int kCancelTries = 100;

// How long a migration may take to end once it is told to. One that hangs on a network that was cut never does.
constexpr milliseconds kAbortPatience{1'000};

}  // namespace

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

Result<> Departures::cancel(const std::string& domain, const Find& find) {
  for (int tries = 0; tries < kCancelTries; ++tries) {
    const auto found = TRY(find());
    if (!found) return {};
    if (virDomainAbortJob(found->get()) == 0) {
      if (!waitForEnd(domain, kAbortPatience)) hangUp(**found);
      return {};
    }
    const Error error = lastError();
    if (error.code != Code::Conflict && error.code != Code::NotFound) return fail(within(domain, error));
    // There is nothing to abort: either it is over, or the daemon has yet to begin.
    if (waitForEnd(domain, kCancelPause)) return {};
  }
  return fail(Code::Timeout, fmt::format("the migration of {} can be neither found nor ended", domain));
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
