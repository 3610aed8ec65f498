#include "controllers/launcher_pod.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "controllers/owner.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers {
namespace {

namespace words = kinds::words;

// QEMU's own memory beside the guest's, measured with small guests.
constexpr std::int64_t kMemoryOverheadBytes = 64LL << 20;

std::map<std::string, std::string> requestsOf(const kinds::VirtualMachineInstanceSpec& spec) {
  std::map<std::string, std::string> requests = {{"memory", std::to_string(spec.memoryBytes() + kMemoryOverheadBytes)}};
  const auto cpu = spec.domain.resources.requests.find("cpu");
  if (cpu != spec.domain.resources.requests.end()) requests["cpu"] = cpu->second;
  return requests;
}

std::vector<kinds::PodVolume> volumesOf(const kinds::VirtualMachineInstanceSpec& spec) {
  std::vector<kinds::PodVolume> volumes;
  for (const kinds::VolumeSpec& volume : spec.allVolumes())
    if (const std::string claim = volume.claim(); !claim.empty())
      volumes.push_back({volume.name, kinds::ClaimReference{claim}});
  return volumes;
}

}  // namespace

std::string launcherName(const kinds::VirtualMachineInstance& instance) {
  return fmt::format("{}-{}-{}", words::kAppLauncher, instance.metadata.name, instance.metadata.uid.substr(0, 8));
}

kinds::Pod renderLauncher(const kinds::VirtualMachineInstance& instance) {
  kinds::Pod pod;
  pod.metadata.name = launcherName(instance);
  pod.metadata.nameSpace = instance.metadata.nameSpace;
  pod.metadata.labels = instance.metadata.labels;
  pod.metadata.labels[std::string(words::kApp)] = words::kAppLauncher;
  pod.metadata.labels[std::string(words::kCreatedBy)] = instance.metadata.uid;
  pod.metadata.labels[std::string(words::kVmiName)] = instance.metadata.name;
  pod.metadata.finalizers = {std::string(words::kNodeFinalizer)};
  pod.metadata.ownerReferences = {ownerReference(instance)};
  pod.spec.nodeSelector = instance.spec.nodeSelector;
  pod.spec.affinity = instance.spec.affinity;
  pod.spec.tolerations = instance.spec.tolerations;
  pod.spec.tolerations.push_back({.key = std::string(words::kNodeTaint), .op = "Exists", .value = "", .effect = ""});
  pod.spec.volumes = volumesOf(instance.spec);
  pod.spec.containers = {{.name = "compute", .image = "godwit", .resources = {requestsOf(instance.spec), {}}}};
  return pod;
}

}  // namespace godwit::controllers
