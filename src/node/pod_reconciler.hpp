#pragma once

#include "control/controller.hpp"
#include "node/importing/reconciler.hpp"
#include "node/launcher/reconciler.hpp"
#include "node/moving/reconciler.hpp"
#include "node/site.hpp"

namespace godwit::node {

// Every pod bound to this node: guests, movers and importers.
class PodReconciler final : public control::Reconciler {
 public:
  explicit PodReconciler(Site& site) : site_(site), launcher_(site), moving_(site), importing_(site) {}

  // Looks again at a pod when it, its instance, its domain, its mover or its importer changes.
  static void listen(Site& site, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Site& site_;
  launcher::Reconciler launcher_;
  moving::Reconciler moving_;
  importing::Reconciler importing_;
};

}  // namespace godwit::node
