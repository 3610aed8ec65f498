#include "kinds/words.hpp"
#include "sim/simulation.hpp"

// What people who know say of nodes without power.
namespace godwit::sim {

namespace words = kinds::words;

void Simulation::sayDead(const std::string& node) {
  const auto found = people_->get<kinds::Node>({"", node});
  if (!found || !kinds::isTrue(found->status.conditions, "Ready")) return;
  auto dead = *found;
  dead.spec.taints.push_back({std::string(words::kOutOfService), "nodeshutdown", "NoExecute"});
  const auto tainted = people_->change(*found, dead);
  if (!tainted) return;
  dead = *tainted;
  kinds::setCondition(dead.status.conditions, {"Ready", "False", "NodeDead", "", {}}, clock_.now());
  (void)people_->changeStatus(*tainted, dead);
}

// As `godwit up` does before it starts a node: the taint goes, then every pod is touched.
bool Simulation::takeBack(const std::string& node) {
  const auto found = people_->get<kinds::Node>({"", node});
  if (!found) return false;
  auto alive = *found;
  std::erase_if(alive.spec.taints, [](const kinds::Taint& taint) { return taint.key == words::kOutOfService; });
  if (!people_->change(*found, alive)) return false;
  const auto pods = people_->list(schema::kind<kinds::Pod>,
                                  {.nameSpace = "", .labelSelector = "", .fieldSelector = "spec.nodeName=" + node});
  if (!pods) return false;
  for (const auto& document : pods->items) {
    const json::object patch = {{"metadata", {{"annotations", {{"touched", std::to_string(steps_)}}}}}};
    (void)people_->mergePatch(schema::kind<kinds::Pod>, object::keyOf(document), patch);
  }
  return true;
}

}  // namespace godwit::sim
