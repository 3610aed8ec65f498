#include "node/processor_labels.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace godwit::node {
namespace {

constexpr std::string_view kVendor = "cpu-vendor.node.kubevirt.io/";
constexpr std::string_view kModel = "cpu-model.node.kubevirt.io/";
constexpr std::string_view kModelOfArrivals = "cpu-model-migration.node.kubevirt.io/";  // of guests with host-model
constexpr std::string_view kFeature = "cpu-feature.node.kubevirt.io/";
constexpr std::string_view kHostModel = "host-model-cpu.node.kubevirt.io/";
constexpr std::string_view kHostFeature = "host-model-required-features.node.kubevirt.io/";
constexpr std::string_view kOurs[] = {kVendor, kModel, kModelOfArrivals, kFeature, kHostModel, kHostFeature};

// Models that KubeVirt does not speak of unless it is told to.
constexpr std::string_view kObsolete[] = {"486",     "pentium", "pentium2", "pentium3", "pentiumpro",
                                          "coreduo", "n270",    "core2duo", "Conroe",   "athlon",
                                          "phenom",  "qemu32",  "qemu64",   "kvm32",    "kvm64"};

bool isOurs(const std::string& label) {
  return std::any_of(std::begin(kOurs), std::end(kOurs),
                     [&](std::string_view prefix) { return label.starts_with(prefix); });
}

bool isObsolete(const std::string& model) {
  return std::find(std::begin(kObsolete), std::end(kObsolete), model) != std::end(kObsolete);
}

void say(object::Labels& labels, std::string_view prefix, const std::string& name) {
  if (!name.empty()) labels[std::string(prefix) + name] = "true";
}

}  // namespace

object::Labels withProcessors(object::Labels labels, const hypervisor::Processors& processors) {
  std::erase_if(labels, [](const auto& label) { return isOurs(label.first); });
  say(labels, kVendor, processors.vendor);
  say(labels, kHostModel, processors.hostModel);
  say(labels, kModelOfArrivals, processors.hostModel);
  for (const std::string& feature : processors.hostFeatures) say(labels, kHostFeature, feature);
  for (const std::string& feature : processors.features) say(labels, kFeature, feature);
  for (const std::string& model : processors.models) {
    if (isObsolete(model)) continue;
    say(labels, kModel, model);
    say(labels, kModelOfArrivals, model);
  }
  return labels;
}

}  // namespace godwit::node
