#include "base/result.hpp"

#include <cstdio>
#include <cstdlib>

namespace godwit::detail {

void stopOnBrokenPromise(const char* condition, const char* why, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken promise: %s (%s)\n", file, line, why, condition);
  std::abort();
}

}  // namespace godwit::detail
