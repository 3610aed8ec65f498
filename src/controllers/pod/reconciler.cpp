#include "controllers/pod/reconciler.hpp"

#include <algorithm>

#include "kinds/words.hpp"

namespace godwit::controllers::pod {
namespace {

bool leavesUnbound(const kinds::Pod& pod) { return pod.metadata.beingDeleted() && pod.spec.nodeName.empty(); }

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  world.pods.onChange([&](const kinds::Pod*, const kinds::Pod* after) {
    if (after && leavesUnbound(*after)) controller.enqueue(after->metadata.key());
  });
}

// A pod that is bound in the same moment makes the write a conflict, and is its node's from then on.
Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto pod = world_.pods.get(key);
  if (!pod || !leavesUnbound(*pod)) return control::Again{};
  auto after = *pod;
  std::erase(after.metadata.finalizers, kinds::words::kNodeFinalizer);
  const auto released = world_.client.change(*pod, after);
  if (!released && released.error().code != Code::NotFound) return fail(released.error());
  return control::Again{};
}

}  // namespace godwit::controllers::pod
