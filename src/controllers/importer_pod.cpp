#include "controllers/importer_pod.hpp"

#include "kinds/words.hpp"

namespace godwit::controllers {

kinds::Pod renderImporter(const ImporterPod& wanted) {
  namespace words = kinds::words;
  kinds::Pod pod;
  pod.metadata.name = wanted.name;
  pod.metadata.nameSpace = wanted.nameSpace;
  pod.metadata.labels[std::string(words::kApp)] = words::kAppImporter;
  pod.metadata.ownerReferences = {wanted.owner};
  pod.metadata.finalizers = {std::string(words::kNodeFinalizer)};
  pod.spec.tolerations = {{.key = std::string(words::kNodeTaint), .op = "Exists", .value = "", .effect = ""}};
  pod.spec.volumes = {{"target", kinds::ClaimReference{wanted.target}}};
  if (!wanted.original.empty()) pod.spec.volumes.push_back({"original", kinds::ClaimReference{wanted.original}});
  pod.spec.containers = {{.name = "importer", .image = "godwit", .resources = {}}};
  return pod;
}

Duration endedFor(const kinds::Pod& pod, Timestamp now) {
  const kinds::Condition* ready = kinds::findCondition(pod.status.conditions, "Ready");
  const auto since = ready ? ready->lastTransitionTime : std::nullopt;
  return since ? now - *since : Duration::max();
}

std::string troubleOf(const kinds::Pod& pod) {
  if (!pod.status.message.empty()) return pod.status.message;
  const kinds::Condition* scheduled = kinds::findCondition(pod.status.conditions, "PodScheduled");
  return scheduled && scheduled->status == "False" ? scheduled->message : "";
}

}  // namespace godwit::controllers
