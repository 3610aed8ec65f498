#include "controllers/node_lifecycle/reconciler.hpp"

#include "kinds/words.hpp"

namespace godwit::controllers::node_lifecycle {
namespace {

object::Key leaseOf(const std::string& node) { return {std::string(kinds::words::kLeaseNamespace), node}; }

template <class LeasePointer>
std::optional<Timestamp> renewalOf(const LeasePointer& lease) {
  return lease ? lease->spec.renewTime : std::nullopt;
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.nodes);
  world.leases.onChange([&](const kinds::Lease* before, const kinds::Lease* after) {
    controller.enqueue({"", (after ? after : before)->metadata.name});
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto node = world_.nodes.get(key);
  if (!node) {
    heartbeats_.forget(key.name);
    return control::Again{};
  }
  const Duration silence = TRY(silenceOf(key.name));
  const bool silent = silence >= grace_;
  const Health health = judge(*node, silent);
  TRY(record(*node, health));
  TRY(tellPods(key.name, health));
  return silent ? control::Again{} : control::Again{.after = grace_ - silence};
}

// A cache that has fallen behind is no proof of silence, so the server has the last word; and who cannot hear the
// server may not call others silent.
Result<Duration> Reconciler::silenceOf(const std::string& node) {
  const Duration silence = heartbeats_.silence(node, renewalOf(world_.leases.get(leaseOf(node))), world_.clock.now());
  if (silence < grace_) return silence;
  const auto lease = world_.client.find<kinds::Lease>(leaseOf(node));
  if (lease) return heartbeats_.silence(node, renewalOf(*lease), world_.clock.now());
  heartbeats_.forget(node);
  return fail(lease.error());
}

Result<> Reconciler::record(const kinds::Node& node, Health health) const {
  const kinds::Node wanted = withHealth(node, health, world_.clock.now());
  kinds::Node after = node;
  after.status = wanted.status;
  const kinds::Node written = TRY(world_.client.changeStatus(node, after));
  after = written;
  after.spec = wanted.spec;
  after.metadata.labels = wanted.metadata.labels;
  TRY(world_.client.change(written, after));
  if (after.spec != node.spec && health == Health::Unreachable)
    world_.recorder.record(node, control::Recorder::Type::Warning, "NodeNotReady", "nobody hears of the node");
  return {};
}

Result<> Reconciler::tellPods(const std::string& node, Health health) const {
  for (const auto& pod : world_.pods.by(index::kByNode, node))
    TRY(world_.client.changeStatus(*pod, withHealth(*pod, health, world_.clock.now())));
  return {};
}

}  // namespace godwit::controllers::node_lifecycle
