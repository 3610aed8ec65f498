#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace godwit {

// A Kubernetes quantity ("128Mi", "1500m", "2G", "1e3") in whole units, rounded away from
// zero as Kubernetes does. A sign is allowed; what does not fit is refused.
Result<std::int64_t> parseQuantity(std::string_view text);
// The same in thousandths: what CPU requests are counted in.
Result<std::int64_t> parseMilliQuantity(std::string_view text);
// The shortest exact binary form: 134217728 -> "128Mi".
std::string formatBytes(std::int64_t bytes);

}  // namespace godwit
