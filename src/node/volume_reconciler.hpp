#pragma once

#include "control/controller.hpp"
#include "node/growing/reconciler.hpp"
#include "node/site.hpp"

namespace godwit::node {

// Removes the data of volumes that were deleted, and makes volumes larger whose capacity was raised, where this node
// reaches them and Godwit made them.
class VolumeReconciler final : public control::Reconciler {
 public:
  explicit VolumeReconciler(Site& site) : site_(site), growing_(site) {}

  static void listen(Site& site, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  bool isReachedFromHere(const kinds::PersistentVolume& volume) const;
  // Whether it has a claim, as the server itself says, or is a disk of a domain here.
  Result<bool> isNeeded(const kinds::PersistentVolume& volume) const;

  Site& site_;
  growing::Reconciler growing_;
};

}  // namespace godwit::node
