#include "control/controller.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace godwit::control {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstPatience = 5ms;
constexpr int kMostDoublings = 12;  // 20 seconds

}  // namespace

bool Controller::passOnce(std::size_t choice) {
  const auto key = queue_.tryTake(choice);
  if (key) pass(*key);
  return key.has_value();
}

void Controller::work(std::stop_token stop) {
  while (const auto key = queue_.take(stop)) pass(*key);
}

void Controller::pass(const object::Key& key) {
  const Result<Again> again = reconciler_.reconcile(key);
  if (again) {
    if (again->after) enqueueAfter(key, *again->after);
    const Lock lock(mutex_);
    failures_.erase(key);
  } else {
    const Error& error = again.error();
    if (error.code != Code::Conflict) log::warn("{} {}: {}", name_, object::show(key), error.message);
    enqueueAfter(key, patience(key));
  }
  queue_.done(key);
}

Duration Controller::patience(const object::Key& key) {
  const Lock lock(mutex_);
  const int doublings = std::min(failures_[key]++, kMostDoublings);
  return kFirstPatience * (1 << doublings);
}

}  // namespace godwit::control
