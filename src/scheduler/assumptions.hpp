#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "object/document.hpp"

namespace godwit::scheduler {

// Where pods are about to go, until the cache shows them there: pods that are placed in one burst
// must not count the same room twice. Only a hint. Lost in a restart, it costs a pod that its node
// finds too large, never a pod in two places.
class Assumptions {
 public:
  struct Assumption {
    std::string uid;  // of the pod
    std::string node;
  };

  struct Reading {
    std::map<object::Key, Assumption> all;
    std::uint64_t version = 0;
  };

  // Before the first assumption. Called when room is free again that was assumed to be taken.
  void onRelease(std::function<void()> listener) { listeners_.push_back(std::move(listener)); }

  Reading read() const;
  // False, and nothing is changed, when other pods were assumed to go somewhere since the reading.
  bool assume(const object::Key& pod, Assumption assumption, std::uint64_t version);
  // The pod does not go there after all.
  void release(const object::Key& pod);
  // The cache says it all: the pod is bound, or gone.
  void drop(const object::Key& pod);

 private:
  void announceRelease() const;

  mutable Mutex mutex_;
  Reading reading_ GUARDED_BY(mutex_);
  std::vector<std::function<void()>> listeners_;
};

}  // namespace godwit::scheduler
