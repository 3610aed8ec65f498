#include "controllers/pod/reconciler.hpp"

#include <algorithm>

#include "controllers/dead_node.hpp"
#include "kinds/calling_off.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::pod {
namespace {

namespace words = kinds::words;

bool leavesUnbound(const kinds::Pod& pod) { return pod.metadata.beingDeleted() && pod.spec.nodeName.empty(); }

bool isMover(const kinds::Pod& pod) {
  return object::valueOf(pod.metadata.labels, words::kApp) == words::kAppMigration;
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  world.pods.onChange([&](const kinds::Pod*, const kinds::Pod* after) {
    if (after && (leavesUnbound(*after) || isOnDeadNode(world, *after))) controller.enqueue(after->metadata.key());
  });
  world.nodes.onChange([&](const kinds::Node*, const kinds::Node* after) {
    if (!after || !isOutOfService(*after)) return;
    for (const auto& pod : world.pods.by(index::kByNode, after->metadata.name)) controller.enqueue(pod->metadata.key());
  });
  world.instances.onChange(
      [&](const kinds::VirtualMachineInstance* before, const kinds::VirtualMachineInstance* after) {
        for (const auto& pod : world.pods.by(index::kByInstance, (after ? after : before)->metadata.uid))
          if (isOnDeadNode(world, *pod)) controller.enqueue(pod->metadata.key());
      });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto pod = world_.pods.get(key);
  if (!pod) return control::Again{};
  Result<> outcome;
  if (leavesUnbound(*pod))
    outcome = release(*pod);
  else if (isOnDeadNode(world_, *pod))
    outcome = settle(*pod);
  if (!outcome && outcome.error().code != Code::NotFound) return fail(outcome.error());
  return control::Again{};
}

Result<> Reconciler::settle(const kinds::Pod& pod) const {
  if (!pod.ended()) return TRY(isAwaited(pod)) ? Result<>{} : declareLost(world_, pod);
  return TRY(isSurelyDead(world_, pod.spec.nodeName)) ? release(pod) : Result<>{};
}

// What became of a move is for its migration to find out, which may need the mover to come back; and a mover that
// lives may yet bring the guest to a target whose node comes back.
Result<bool> Reconciler::isAwaited(const kinds::Pod& pod) const {
  if (isMover(pod)) return !pod.metadata.beingDeleted();
  const std::string move = object::valueOf(pod.metadata.labels, words::kMigrationJobUid);
  const bool calledOff = object::valueOf(pod.metadata.annotations, words::kCancelMove) == words::kSourceDead;
  if (move.empty() || calledOff) return false;
  const auto instance = TRY(world_.client.find<kinds::VirtualMachineInstance>(
      {pod.metadata.nameSpace, object::valueOf(pod.metadata.labels, words::kVmiName)}));
  return instance && instance->moving() && instance->status.migrationState->migrationUid == move;
}

// A pod that is bound, or touched by a node that comes back, in the same moment makes the write a conflict, and is its
// node's from then on.
Result<> Reconciler::release(const kinds::Pod& pod) const {
  auto after = pod;
  std::erase(after.metadata.finalizers, words::kNodeFinalizer);
  TRY(world_.client.change(pod, after));
  return {};
}

}  // namespace godwit::controllers::pod
