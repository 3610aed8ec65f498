#include "metrics/family.hpp"

#include <utility>

namespace godwit::metrics {

prometheus::MetricFamily familyOf(const Title& title) {
  return {std::string(title.name), std::string(title.help), title.type, {}};
}

void add(prometheus::MetricFamily& family, Labels labels, double value) {
  prometheus::ClientMetric& metric = family.metric.emplace_back();
  metric.label = std::move(labels);
  if (family.type == MetricType::Counter)
    metric.counter.value = value;
  else
    metric.gauge.value = value;
}

void add(Families& families, const Title& title, double value) {
  families.push_back(familyOf(title));
  add(families.back(), {}, value);
}

}  // namespace godwit::metrics
