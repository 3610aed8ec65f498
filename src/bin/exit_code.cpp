#include <fmt/format.h>

#include "bin/commands.hpp"

namespace godwit::bin {

int exitCode(const Result<>& outcome) {
  if (outcome) return 0;
  fmt::print(stderr, "godwit: {}\n", outcome.error().message);
  for (const FieldProblem& problem : outcome.error().problems)
    fmt::print(stderr, "  {}: {}\n", problem.path, problem.problem);
  return 1;
}

}  // namespace godwit::bin
