#pragma once

#include "control/controller.hpp"
#include "node/importing/decide.hpp"
#include "node/site.hpp"

namespace godwit::node::importing {

// Runs the pods that are importers.
class Reconciler {
 public:
  explicit Reconciler(Site& site) : site_(site) {}

  Result<control::Again> reconcile(const kinds::Pod& pod);

 private:
  Result<> perform(const kinds::Pod& pod, Duty duty) const;
  Result<> giveOrders(const kinds::Pod& pod) const;
  Result<> publishMove(const kinds::Pod& pod, const importer::Progress& progress) const;
  Result<> publish(const kinds::Pod& pod, const std::optional<importer::Progress>& progress) const;

  Site& site_;
};

}  // namespace godwit::node::importing
