#pragma once

#include <functional>
#include <string_view>

#include "base/result.hpp"

namespace godwit::importer {

// Where bytes go, one piece after the other. An error ends the flow.
using Sink = std::function<Result<>(std::string_view)>;

}  // namespace godwit::importer
