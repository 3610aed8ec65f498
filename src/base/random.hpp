#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "base/mutex.hpp"

namespace godwit {

// The only dice. Whoever wants to roll them is handed some.
class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t next() = 0;

  // Evenly from [0, bound); bound must not be 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  bool chance(unsigned in) { return below(in) == 0; }
};

// Same seed, same rolls. Not for several threads.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t next() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

// From the kernel; safe to use from several threads.
class SystemRandom final : public Random {
 public:
  std::uint64_t next() override;

 private:
  Mutex mutex_;
  std::random_device device_ GUARDED_BY(mutex_);
};

// RFC 4122 version 4.
std::string uuid(Random& random);

// Five letters and digits without vowels, as Kubernetes appends to a generateName.
std::string nameSuffix(Random& random);

}  // namespace godwit
