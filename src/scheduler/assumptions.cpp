#include "scheduler/assumptions.hpp"

#include <utility>

namespace godwit::scheduler {

Assumptions::Reading Assumptions::read() const {
  const Lock lock(mutex_);
  return reading_;
}

bool Assumptions::assume(const object::Key& pod, Assumption assumption, std::uint64_t version) {
  bool moved = false;
  {
    const Lock lock(mutex_);
    if (reading_.version != version) return false;
    Assumption& known = reading_.all[pod];
    if (known.node == assumption.node && known.uid == assumption.uid) return true;
    moved = !known.node.empty();
    known = std::move(assumption);
    ++reading_.version;
  }
  if (moved) announceRelease();
  return true;
}

void Assumptions::release(const object::Key& pod) {
  bool released = false;
  {
    const Lock lock(mutex_);
    released = reading_.all.erase(pod) > 0;
  }
  if (released) announceRelease();
}

void Assumptions::drop(const object::Key& pod) {
  const Lock lock(mutex_);
  reading_.all.erase(pod);
}

void Assumptions::announceRelease() const {
  for (const auto& listener : listeners_) listener();
}

}  // namespace godwit::scheduler
