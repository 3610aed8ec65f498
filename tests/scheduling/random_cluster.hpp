#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"
#include "kinds/words.hpp"
#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

// Nodes and pods of every sort that the scheduler has to tell apart, by the dice.
class RandomCluster {
 public:
  explicit RandomCluster(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool chance(unsigned in) { return random_.chance(in); }

  kinds::Node node(std::uint64_t number) {
    kinds::Node node;
    node.metadata.name = "node-" + std::to_string(number);
    node.metadata.labels = {{std::string(kinds::words::kHostname), node.metadata.name},
                            {"cores", std::to_string(below(64))}};
    if (!chance(10)) node.metadata.labels["zone"] = oneOf("abc");
    if (chance(4)) node.metadata.labels["disk"] = "fast";
    node.spec.unschedulable = chance(12);
    if (chance(8)) node.spec.taints = {{"dedicated", oneOf("xy"), chance(2) ? "NoSchedule" : "PreferNoSchedule"}};
    node.status.allocatable = {{"memory", std::to_string(4 + below(5)) + "Gi"}, {"cpu", "8"}, {"pods", "6"}};
    return node;
  }

  kinds::Pod pod(std::uint64_t number) {
    kinds::Pod pod;
    pod.metadata.nameSpace = "space-" + oneOf("mn");
    pod.metadata.name = "pod-" + std::to_string(number);
    pod.metadata.uid = std::to_string(random_.next());
    pod.metadata.labels = {{"app", oneOf("pqrs")}, {"number", std::to_string(number)}};
    pod.spec.containers = {
        {.name = "a", .image = "", .resources = {{{"memory", std::to_string(1 + below(3)) + "Gi"}}, {}}}};
    if (chance(3)) pod.spec.tolerations = {{.key = "dedicated", .op = "Exists", .value = "", .effect = ""}};
    if (chance(4)) pod.spec.nodeSelector["zone"] = oneOf("abc");
    if (chance(5)) pod.spec.affinity = kinds::Affinity{kinds::NodeAffinity{selector()}, {}, {}};
    if (!chance(2)) return pod;
    if (!pod.spec.affinity) pod.spec.affinity.emplace();
    if (chance(2)) pod.spec.affinity->podAffinity = terms();
    if (chance(2)) pod.spec.affinity->podAntiAffinity = terms();
    return pod;
  }

  std::vector<ClaimView> claims(std::uint64_t nodes) {
    std::vector<ClaimView> made;
    if (chance(6)) made.push_back({.name = "reached", .reachableFrom = selector()});
    if (!chance(8)) return made;
    ClaimView waiting{.name = "waiting", .state = ClaimView::State::Waiting, .canBeMade = chance(2)};
    if (chance(2)) waiting.selectedNode = "node-" + std::to_string(below(nodes));
    if (!waiting.canBeMade) waiting.freeVolumes = {selector()};
    made.push_back(waiting);
    return made;
  }

 private:
  std::string oneOf(const std::string& letters) { return {letters[below(letters.size())]}; }

  object::Requirement requirement() {
    using Operator = object::Requirement::Operator;
    switch (below(6)) {
      case 0:
        return {"zone", Operator::In, {oneOf("abc"), oneOf("abc")}};
      case 1:
        return {"zone", Operator::NotIn, {oneOf("abc")}};
      case 2:
        return {"disk", Operator::Exists, {}};
      case 3:
        return {"disk", Operator::DoesNotExist, {}};
      case 4:
        return {"cores", Operator::Gt, {"31"}};
      default:
        return {"cores", Operator::Lt, {"48"}};
    }
  }

  kinds::NodeSelector selector() {
    kinds::NodeSelector made;
    do {
      kinds::NodeSelectorTerm term;
      if (!chance(4)) term.matchExpressions = {requirement(), requirement()};
      if (chance(4))
        term.matchFields = {
            {"metadata.name", object::Requirement::Operator::In, {"node-" + std::to_string(below(20))}}};
      made.nodeSelectorTerms.push_back(term);
    } while (chance(3));
    return made;
  }

  kinds::PodAffinity terms() {
    kinds::PodAffinity made;
    do {
      kinds::PodAffinityTerm term;
      if (!chance(4)) term.labelSelector.matchLabels = {{"app", oneOf("pqrs")}};
      if (chance(3))
        term.labelSelector.matchExpressions = {
            {"app",
             chance(2) ? object::Requirement::Operator::In : object::Requirement::Operator::NotIn,
             {oneOf("pq")}}};
      term.topologyKey = chance(2) ? "zone" : std::string(kinds::words::kHostname);
      if (chance(4)) term.namespaces = {"space-n", "space-m"};
      if (chance(4))
        made.preferred.push_back({5, term});
      else
        made.required.push_back(term);
    } while (chance(3));
    return made;
  }

  SeededRandom random_;
};

}  // namespace godwit::scheduler
