#include "control/workers.hpp"

#include <thread>

#include "base/bell.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"

namespace godwit::control {
namespace {

using namespace std::chrono_literals;

constexpr auto kListAgainAfter = 500ms;

// Counts caches that have not seen everything yet.
class Start {
 public:
  explicit Start(std::size_t missing) : missing_(missing) {}

  void oneIsReady() {
    const Lock lock(mutex_);
    if (--missing_ == 0) signal_.notifyAll();
  }

  bool wait(std::stop_token stop) {
    const Lock lock(mutex_);
    return signal_.wait(mutex_, stop, [&] { return missing_ == 0; });
  }

 private:
  Mutex mutex_;
  Signal signal_;
  std::size_t missing_ GUARDED_BY(mutex_);
};

void keepCurrent(client::Reflector& cache, Start& start, std::stop_token stop) {
  // The watch may ring after this function has returned: the bell outlives both.
  const auto bell = std::make_shared<Bell>();
  bool announced = false;
  while (!stop.stop_requested()) {
    if (const auto pumped = cache.pump(); !pumped) {
      log::debug("watching {}: {}", cache.kind().plural, pumped.error().message);
      bell->waitFor(kListAgainAfter, stop);
      continue;
    }
    if (cache.synced() && !std::exchange(announced, true)) start.oneIsReady();
    cache.whenReady([bell] { bell->ring(); });
    bell->wait(stop);
  }
}

}  // namespace

void runWorkers(const std::vector<client::Reflector*>& caches, const std::vector<Controller*>& controllers,
                int threadsPerController, std::stop_token stop) {
  Start start(caches.size());
  std::vector<std::jthread> threads;
  for (client::Reflector* cache : caches)
    threads.emplace_back([&start, cache, stop] { keepCurrent(*cache, start, stop); });
  if (!start.wait(stop)) return;
  for (Controller* controller : controllers)
    for (int i = 0; i < threadsPerController; ++i) threads.emplace_back([controller, stop] { controller->work(stop); });
}

}  // namespace godwit::control
