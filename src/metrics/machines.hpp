#pragma once

#include <map>
#include <string>

#include "metrics/family.hpp"
#include "metrics/ledger.hpp"

namespace godwit::metrics {

// How many VMs there are by namespace, and how many instances by node and phase; counted as they come, change and go.
class Machines {
 public:
  explicit Machines(const client::Client& api);

  std::vector<client::Reflector*> reflectors() { return {&machines_, &instances_}; }
  void addTo(Families& families) const;

 private:
  struct Machine {};
  struct Instance {
    std::string node;
    std::string phase;

    auto operator<=>(const Instance&) const = default;
  };

  static Machine readMachine(const object::Document&) { return {}; }
  static Instance readInstance(const object::Document& document);
  void count(const std::string& nameSpace, int change);
  void count(const Instance& instance, int change);

  mutable Mutex mutex_;
  std::map<std::string, int> byNamespace_ GUARDED_BY(mutex_);
  std::map<Instance, int> byPhase_ GUARDED_BY(mutex_);
  Ledger<Machine> machines_;
  Ledger<Instance> instances_;
};

}  // namespace godwit::metrics
