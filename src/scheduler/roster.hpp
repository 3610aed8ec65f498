#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"
#include "scheduler/census.hpp"
#include "scheduler/choose.hpp"
#include "scheduler/node_index.hpp"

namespace godwit::scheduler {

// Which pods are on which nodes: those that were seen there, and those that are about to go there, for pods that are
// placed in one burst must not count the same room twice. Where pods are about to go is only a hint. Lost in a restart,
// it costs a pod that its node finds too large, never a pod in two places.
class Roster {
 public:
  // Before anything else. Called when room is free again that was assumed to be taken.
  void onRelease(std::function<void()> listener) { listeners_.push_back(std::move(listener)); }

  // What there is now; null when there is nothing.
  void seeNode(const std::string& name, const kinds::Node* node);
  void seePod(const object::Key& key, std::shared_ptr<const kinds::Pod> pod);

  // Finds a node for a pod that waits, and assumes that it goes there until it is seen somewhere or asked for again.
  // Nothing when no such pod was seen, or it does not wait.
  std::optional<Verdict> place(const object::Key& key, std::span<const ClaimView> claims);

  // What speaks against each node there is, for a pod that is nowhere: all of it, and nothing where it may go. Takes no
  // room.
  std::map<std::string, std::vector<Refusal>> examine(const kinds::Pod& pod, std::span<const ClaimView> claims);

  // How many pods are about to go somewhere.
  std::size_t assumed() const;

 private:
  struct Site;
  struct Tenant {
    std::shared_ptr<const kinds::Pod> pod;  // as it was last seen
    std::string assumed = "";               // node; only while it waits

    Site* at = nullptr;                                   // where it is counted, unless it is null...
    std::shared_ptr<const kinds::Pod> counted = nullptr;  // ...and as what
    Resources requests = {};
  };
  // A name that nodes or pods have been seen with; either may come first.
  struct Site {
    std::string name;
    std::optional<NodeView> node = std::nullopt;
    std::vector<Tenant*> tenants = {};
  };
  struct KeyHash {
    std::size_t operator()(const object::Key& key) const;
  };

  // Counts the tenant where it belongs, and nowhere else.
  void settle(Tenant& tenant) REQUIRES(mutex_);
  void leave(Tenant& tenant) REQUIRES(mutex_);
  void shareTaints(NodeView& node) REQUIRES(mutex_);
  Site& siteNamed(const std::string& name) REQUIRES(mutex_);
  void forgetIfEmpty(const Site& site) REQUIRES(mutex_);
  void count(Site& site) REQUIRES(mutex_);
  void discount(Site& site) REQUIRES(mutex_);
  Demand demandOf(const kinds::Pod& pod, std::span<const ClaimView> claims) REQUIRES(mutex_);
  Verdict search(const Tenant& tenant, std::span<const ClaimView> claims) REQUIRES(mutex_);
  void announceRelease() const;

  mutable Mutex mutex_;
  std::unordered_map<object::Key, Tenant, KeyHash> tenants_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, Site> sites_ GUARDED_BY(mutex_);
  Census census_ GUARDED_BY(mutex_);
  NodeIndex index_ GUARDED_BY(mutex_);
  std::vector<Taints> taints_ GUARDED_BY(mutex_);  // that nodes share
  std::size_t start_ GUARDED_BY(mutex_) = 0;       // of the next search
  std::vector<std::function<void()>> listeners_;
};

}  // namespace godwit::scheduler
