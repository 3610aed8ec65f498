#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

// Locks that clang's -Wthread-safety can check; g++ ignores the annotations.
#if defined(__clang__)
#define THREAD_ANNOTATION(x) __attribute__((x))
#else
#define THREAD_ANNOTATION(x)
#endif
#define CAPABILITY(x) THREAD_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) THREAD_ANNOTATION(guarded_by(x))
#define REQUIRES(...) THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS THREAD_ANNOTATION(no_thread_safety_analysis)

namespace godwit {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class SCOPED_CAPABILITY Lock {
 public:
  explicit Lock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~Lock() RELEASE() { mutex_.unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits with a Mutex held; every wait states its condition.
class Signal {
 public:
  void notifyOne() { changed_.notify_one(); }
  void notifyAll() { changed_.notify_all(); }

  // False once `stop` is requested and the condition does not hold.
  template <class Condition>
  bool wait(Mutex& mutex, std::stop_token stop, Condition condition) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    return changed_.wait(mutex, std::move(stop), std::move(condition));
  }

  template <class Condition>
  void wait(Mutex& mutex, Condition condition) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    changed_.wait(mutex, std::move(condition));
  }

  // False when `patience` has passed, or `stop` was requested, and the condition does not hold.
  template <class Condition, class Span>
  bool waitFor(Mutex& mutex, std::stop_token stop, Span patience, Condition condition)
      REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    return changed_.wait_for(mutex, std::move(stop), patience, std::move(condition));
  }

 private:
  std::condition_variable_any changed_;
};

}  // namespace godwit
