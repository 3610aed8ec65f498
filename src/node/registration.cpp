#include "node/registration.hpp"

#include <algorithm>

#include "base/bell.hpp"
#include "base/log.hpp"
#include "base/quantity.hpp"
#include "kinds/core.hpp"
#include "kinds/words.hpp"
#include "node/processor_labels.hpp"

namespace godwit::node {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

constexpr Duration kRenewEvery = 10s;
constexpr Duration kAgainAfterFailure = 1s;
constexpr std::int64_t kLeaseSeconds = 40;
// kube-scheduler sends nothing to a node that names no number; this one is the kubelet's.
constexpr const char* kMostPods = "110";
// KubeVirt's name and number for it: what guests share has no end.
constexpr const char* kHardware = "devices.kubevirt.io/kvm";
constexpr const char* kAnyNumber = "1k";

void addTaint(std::vector<kinds::Taint>& taints) {
  const kinds::Taint ours{.key = std::string(words::kNodeTaint), .value = "true", .effect = "NoSchedule"};
  if (std::find(taints.begin(), taints.end(), ours) == taints.end()) taints.push_back(ours);
}

void tellProcessors(kinds::Node& node, const hypervisor::Processors& processors) {
  node.metadata.labels = withProcessors(std::move(node.metadata.labels), processors);
  for (auto* amounts : {&node.status.capacity, &node.status.allocatable})
    if (processors.inHardware)
      (*amounts)[kHardware] = kAnyNumber;
    else
      amounts->erase(kHardware);
}

void sayOrTakeBack(object::Labels& annotations, std::string_view key, const std::string& value) {
  if (value.empty())
    annotations.erase(std::string(key));
  else
    annotations[std::string(key)] = value;
}

}  // namespace

kinds::Node withProfile(kinds::Node node, const NodeProfile& profile, Timestamp now) {
  node.metadata.name = profile.name;
  auto& labels = node.metadata.labels;
  labels[std::string(words::kHostname)] = profile.name;
  labels["kubernetes.io/arch"] = "amd64";
  labels["kubernetes.io/os"] = "linux";
  labels[std::string(words::kSchedulable)] = "true";
  auto& annotations = node.metadata.annotations;
  annotations[std::string(words::kHypervisorUri)] = profile.hypervisorUri;
  annotations[std::string(words::kConsoleDirectory)] = profile.consoleDirectory;
  annotations[std::string(words::kContainerDirectory)] = profile.containerDirectory;
  sayOrTakeBack(annotations, words::kTransportUri, profile.transportUri);
  sayOrTakeBack(annotations, words::kSocketDirectory, profile.socketDirectory);
  annotations[std::string(words::kVolumeDirectory)] = profile.volumeDirectory;
  annotations[std::string(words::kServingCertificate)] = profile.servingCertificate;
  addTaint(node.spec.taints);
  node.status.addresses = {};
  for (const std::string& address : profile.addresses) node.status.addresses.push_back({"InternalIP", address});
  node.status.addresses.push_back({"Hostname", profile.name});
  node.status.nodeInfo.bootID = profile.bootId;
  node.status.daemonEndpoints.kubeletEndpoint.port = profile.port;
  for (auto* amounts : {&node.status.capacity, &node.status.allocatable}) {
    (*amounts)["cpu"] = std::to_string(profile.cpus);
    (*amounts)["memory"] = formatBytes(profile.memoryBytes);
    (*amounts)["pods"] = kMostPods;
  }
  if (profile.processors) tellProcessors(node, *profile.processors);
  kinds::setCondition(node.status.conditions,
                      {.type = "Ready",
                       .status = "True",
                       .reason = "AgentReady",
                       .message = "the node agent runs",
                       .lastTransitionTime = {}},
                      now);
  return node;
}

Result<> Registration::renew() const {
  TRY(renewNode());
  return renewLease();
}

void Registration::run(std::stop_token stop) const {
  Bell never;
  bool known = false;
  while (!stop.stop_requested()) {
    const auto renewed = renew();
    if (!renewed) log::warn("node {} cannot renew its registration: {}", profile_.name, renewed.error().message);
    if (renewed && !std::exchange(known, true)) log::info("node {} is registered", profile_.name);
    never.waitFor(renewed ? kRenewEvery : kAgainAfterFailure, stop);
  }
}

Result<> Registration::renewNode() const {
  auto found = client_.get<kinds::Node>({"", profile_.name});
  if (!found && found.error().code == Code::NotFound) found = client_.create(withProfile({}, profile_, clock_.now()));
  if (!found) return fail(found.error());
  const kinds::Node wanted = withProfile(*found, profile_, clock_.now());
  kinds::Node changed = *found;
  changed.metadata = wanted.metadata;
  changed.spec = wanted.spec;
  const kinds::Node written = TRY(client_.change(*found, changed));
  changed = written;
  changed.status = wanted.status;
  TRY(client_.changeStatus(written, changed));
  return {};
}

Result<> Registration::renewLease() const {
  const kinds::LeaseSpec spec{
      .holderIdentity = profile_.name, .leaseDurationSeconds = kLeaseSeconds, .renewTime = clock_.now()};
  const object::Key key{std::string(words::kLeaseNamespace), profile_.name};
  const auto renewed = client_.mergePatch(schema::kind<kinds::Lease>, key, {{"spec", schema::write(spec)}});
  if (renewed) return {};
  if (renewed.error().code != Code::NotFound) return fail(renewed.error());
  kinds::Namespace nameSpace;
  nameSpace.metadata.name = key.nameSpace;
  TRY(client_.ensure(nameSpace));
  kinds::Lease lease{.metadata = {}, .spec = spec};
  lease.metadata.nameSpace = key.nameSpace;
  lease.metadata.name = key.name;
  return client_.ensure(lease);
}

}  // namespace godwit::node
