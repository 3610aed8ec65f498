#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prometheus/metric_family.h>

namespace godwit::metrics {

using prometheus::MetricType;
using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::vector<prometheus::ClientMetric::Label>;

// What a family is, whatever there is of it at the moment.
struct Title {
  std::string_view name;
  std::string_view help;
  MetricType type = MetricType::Gauge;
};

prometheus::MetricFamily familyOf(const Title& title);
// Into a family of gauges or counters.
void add(prometheus::MetricFamily& family, Labels labels, double value);
void add(Families& families, const Title& title, double value);

}  // namespace godwit::metrics
