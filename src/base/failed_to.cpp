#include "base/failed_to.hpp"

#include <cstring>

#include <fmt/format.h>

namespace godwit {

Failure failedTo(const char* what, const std::string& whom, int error) {
  const Code code = error == ENOENT ? Code::NotFound : Code::Unavailable;
  return fail(code, fmt::format("cannot {} {}: {}", what, whom, std::strerror(error)));
}

}  // namespace godwit
