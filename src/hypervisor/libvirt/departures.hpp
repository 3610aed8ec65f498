#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.hpp"
#include "base/result.hpp"
#include "hypervisor/libvirt/handle.hpp"

namespace godwit::hypervisor::libvirt {

// The migrations that this process has begun, each on a thread of its own, because libvirt's
// call takes as long as the migration does. Destroying it waits for all of them.
class Departures {
 public:
  // Conflict when one of the same domain is under way.
  Result<> begin(const std::string& domain, std::function<Result<>()> migrate, std::function<void(Result<>)> ended);
  bool underWay(const std::string& domain);
  // Asks the daemon for an end of one, whoever began it. `find` says nothing when the domain is not there.
  using Find = std::function<Result<std::optional<Domain>>()>;
  Result<> cancel(const std::string& domain, const Find& find);
  // Waits for the end of a departure; false when it is still under way after `patience`.
  bool waitForEnd(const std::string& domain, std::chrono::milliseconds patience);

 private:
  struct Departure {
    bool underWay = true;
    std::jthread thread;
  };
  bool isUnderWay(const std::string& domain) REQUIRES(mutex_);
  void markEnded(const std::string& domain);

  Mutex mutex_;
  Signal changed_;
  std::map<std::string, Departure> departures_ GUARDED_BY(mutex_);  // the last one of each domain
};

}  // namespace godwit::hypervisor::libvirt
