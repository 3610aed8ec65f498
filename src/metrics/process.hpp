#pragma once

#include "base/clock.hpp"
#include "metrics/family.hpp"

namespace godwit::metrics {

// What every exporter says of its own process, which runs since `started`.
void addProcess(Families& families, Timestamp started);

}  // namespace godwit::metrics
