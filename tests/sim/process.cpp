#include "sim/process.hpp"

#include <algorithm>

namespace godwit::sim {

void Process::add(client::Reflector& cache) { feeds_.push_back({&cache, std::make_shared<bool>(true)}); }

void Process::pump(Feed& feed) {
  *feed.news = false;
  const auto pumped = feed.cache->pump();
  if (!pumped) {
    *feed.news = true;
    return;
  }
  feed.cache->whenReady([news = feed.news] { *news = true; });
}

bool Process::synced() const {
  return std::all_of(feeds_.begin(), feeds_.end(), [](const Feed& feed) { return feed.cache->synced(); });
}

bool Process::run(Random& random) {
  std::vector<std::function<void()>> possible;
  for (Feed& feed : feeds_)
    if (*feed.news) possible.push_back([&] { pump(feed); });
  if (synced())
    for (control::Controller* controller : controllers_)
      if (!controller->idle()) possible.push_back([&, controller] { controller->passOnce(random.next()); });
  if (possible.empty()) return false;
  possible[random.below(possible.size())]();
  return true;
}

std::optional<Timestamp> Process::nextDue() const {
  std::optional<Timestamp> earliest;
  for (const control::Controller* controller : controllers_)
    if (const auto due = controller->nextDue(); due && (!earliest || *due < *earliest)) earliest = due;
  return earliest;
}

}  // namespace godwit::sim
