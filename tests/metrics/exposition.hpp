#pragma once

#include <map>
#include <string>

namespace godwit::metrics {

// The samples of a scrape by name and labels, as they are written: `kubevirt_x{node="a"}`.
using Samples = std::map<std::string, double>;

// Fails the test for every line that is not as Prometheus' text format has it: each family is announced by its help
// and type, once, before its samples; no sample stands twice.
Samples read(const std::string& text);

}  // namespace godwit::metrics
