#include "node/pod_reconciler.hpp"

#include "kinds/words.hpp"
#include "node/container_disks.hpp"

namespace godwit::node {
namespace {

namespace words = kinds::words;

constexpr const char* kByDomain = "domain";
constexpr const char* kByMove = "move";
constexpr const char* kByUid = "uid";
// A guest that is just being switched over is its mover's business, and stands still: nobody else asks about it then.
constexpr Duration kWhileItMoves = std::chrono::milliseconds(200);

// Also when its instance is still another node's, and the guest is to come here.
bool isOnTheMove(const Site& site, const kinds::Pod& pod) {
  const auto instance =
      site.instances.get({pod.metadata.nameSpace, object::valueOf(pod.metadata.labels, words::kVmiName)});
  return instance ? instance->moving() : pod.metadata.labels.contains(std::string(words::kMigrationJobUid));
}

}  // namespace

void PodReconciler::listen(Site& site, control::Controller& controller) {
  site.pods.addIndex(kByDomain, [](const kinds::Pod& pod) {
    return std::vector{
        kinds::domainName({pod.metadata.nameSpace, object::valueOf(pod.metadata.labels, words::kVmiName)})};
  });
  site.pods.addIndex(kByMove, [](const kinds::Pod& pod) {
    return std::vector{object::valueOf(pod.metadata.labels, words::kMigrationJobUid)};
  });
  site.pods.addIndex(kByUid, [](const kinds::Pod& pod) { return std::vector{pod.metadata.uid}; });
  const auto lookAt = [&](const char* index, const std::string& value) {
    for (const auto& pod : site.pods.by(index, value)) controller.enqueue(pod->metadata.key());
  };
  controller.follow(site.pods);
  site.instances.onChange([lookAt](const auto* before, const auto* after) {
    lookAt(kByDomain, kinds::domainName((after ? after : before)->metadata.key()));
  });
  site.hypervisor.whenChanged([&](const std::string& domain) {
    for (const auto& pod : site.pods.by(kByDomain, domain)) {
      if (isOnTheMove(site, *pod))
        controller.enqueueAfter(pod->metadata.key(), kWhileItMoves);
      else
        controller.enqueue(pod->metadata.key());
    }
  });
  site.movers.whenChanged([lookAt](const std::string& move) { lookAt(kByMove, move); });
  site.importers.whenChanged([lookAt, &site, &controller](const std::string& errand) {
    lookAt(kByUid, errand);
    if (!isForContainerDisks(errand)) return;
    for (const auto& pod : site.pods.list())
      if (pod->status.phase != kinds::pod_phase::kRunning && !pod->ended()) controller.enqueue(pod->metadata.key());
  });
}

Result<control::Again> PodReconciler::reconcile(const object::Key& key) {
  const auto pod = site_.pods.get(key);
  if (!pod) return control::Again{};
  const std::string app = object::valueOf(pod->metadata.labels, words::kApp);
  if (app == words::kAppMigration) return moving_.reconcile(*pod);
  return app == words::kAppImporter ? importing_.reconcile(*pod) : launcher_.reconcile(*pod);
}

}  // namespace godwit::node
