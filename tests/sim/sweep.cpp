#include "sim/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/mutex.hpp"

namespace godwit::sim {
namespace {

// What several threads have found.
class Findings {
 public:
  void add(unsigned seed, std::string what) {
    const Lock lock(mutex_);
    found_.emplace(seed, std::move(what));
  }
  std::map<unsigned, std::string> take() {
    const Lock lock(mutex_);
    return std::move(found_);
  }

 private:
  Mutex mutex_;
  std::map<unsigned, std::string> found_ GUARDED_BY(mutex_);
};

}  // namespace

void eachSeed(unsigned first, unsigned count, const std::function<bool(unsigned seed)>& look) {
  std::atomic<unsigned> next = 0;
  std::atomic<bool> goOn = true;
  std::vector<std::jthread> threads;
  for (unsigned core = 0; core < std::max(1u, std::thread::hardware_concurrency()); ++core)
    threads.emplace_back([&] {
      while (goOn) {
        const unsigned offset = next++;
        if (offset >= count) return;
        if (!look(first + offset)) goOn = false;
      }
    });
}

std::map<unsigned, std::string> allWrong(unsigned first, unsigned count,
                                         const std::function<std::string(unsigned seed)>& wrongWith) {
  Findings findings;
  eachSeed(first, count, [&](unsigned seed) {
    const std::string wrong = wrongWith(seed);
    if (wrong.empty()) return true;
    fmt::print(stderr, "seed {}: {}\n", seed, wrong);
    findings.add(seed, wrong);
    return true;
  });
  return findings.take();
}

std::map<unsigned, std::string> firstWrong(unsigned count, const std::function<std::string(unsigned seed)>& wrongWith) {
  Findings findings;
  eachSeed(0, count, [&](unsigned seed) {
    const std::string wrong = wrongWith(seed);
    if (!wrong.empty()) findings.add(seed, wrong);
    return wrong.empty();
  });
  auto found = findings.take();
  if (!found.empty()) found.erase(std::next(found.begin()), found.end());
  return found;
}

}  // namespace godwit::sim
