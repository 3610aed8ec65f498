#pragma once

#include "control/controller.hpp"
#include "controllers/node_lifecycle/health.hpp"
#include "controllers/node_lifecycle/heartbeats.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::node_lifecycle {

// Says of a node that it is unreachable when it has not renewed its lease for the grace period, and takes that back
// when it reports again. A controller that starts, or that could not ask, gives every node its whole time.
class Reconciler final : public control::Reconciler {
 public:
  Reconciler(World& world, Duration grace) : world_(world), grace_(grace) {}

  // Looks again at a node when it or its lease changes, and when the lease is due.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Result<Duration> silenceOf(const std::string& node);
  Result<> record(const kinds::Node& node, Health health) const;
  Result<> tellPods(const std::string& node, Health health) const;

  World& world_;
  const Duration grace_;
  Heartbeats heartbeats_;
};

}  // namespace godwit::controllers::node_lifecycle
