#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/binding.hpp"
#include "apiserver/server.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "client/client.hpp"
#include "control/controller.hpp"
#include "kinds/core.hpp"
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "scheduler/reconciler.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::scheduler {

inline kinds::Pod podNamed(const std::string& name, const std::string& memory = "1Gi") {
  kinds::Pod pod;
  pod.metadata.nameSpace = "default";
  pod.metadata.name = name;
  pod.metadata.labels = {{"app", name}};
  pod.spec.containers = {{.name = "compute", .image = "godwit", .resources = {{{"memory", memory}}, {}}}};
  return pod;
}

inline kinds::Pod mounting(kinds::Pod pod, const std::string& claim) {
  pod.spec.volumes.push_back({"disk-" + claim, kinds::ClaimReference{claim}});
  return pod;
}

// A scheduler before an API server, on one thread, and what others do there.
class Cluster {
 public:
  Cluster()
      : server_(store_, kinds::all(), clock_, random_,
                {.tokens = {{.token = "secret", .user = "admin", .groups = {"system:masters"}}}}),
        transport_(server_, "secret"),
        client(transport_) {
    server_.add(apiserver::bindingEndpoint(server_.objects(), *server_.catalog().find("", "v1", "pods"), clock_));
    restartScheduler();
  }

  void restartScheduler() {
    process_.reset();
    process_ = std::make_unique<Process>(client, clock_, random_);
  }

  // The scheduler learns what has happened, and acts on it, until there is nothing left to do.
  void settle() {
    do {
      learn();
    } while (act() > 0);
  }
  void learn() {
    for (client::Reflector* cache : process_->view.caches()) EXPECT_TRUE(cache->pump());
  }
  // How many passes that took. What it does itself is news that it has not learnt yet.
  int act() {
    int passes = 0;
    while (process_->controller.passOnce()) ++passes;
    return passes;
  }
  // A failed pass is repeated after a while.
  void waitAWhile() { clock_.advance(std::chrono::minutes(1)); }

  template <class T>
  T create(T object) {
    auto made = client.create(object);
    EXPECT_TRUE(made) << made.error().message;
    object.metadata = made.value().metadata;
    if constexpr (schema::kind<T>.hasStatus) return changeStatus(*made, object);
    return object;
  }
  template <class T>
  T changeStatus(const T& before, const T& after) {
    auto changed = client.changeStatus(before, after);
    EXPECT_TRUE(changed) << changed.error().message;
    return changed.value();
  }
  template <class T>
  T get(const std::string& name) {
    auto found = client.get<T>({schema::kind<T>.scope == schema::Scope::Cluster ? "" : "default", name});
    EXPECT_TRUE(found) << found.error().message;
    return found.value();
  }

  kinds::Node addNode(const std::string& name, const std::string& memory = "4Gi") {
    kinds::Node node;
    node.metadata.name = name;
    node.metadata.labels = {{std::string(kinds::words::kHostname), name}};
    node.status.allocatable = {{"memory", memory}};
    node.status.conditions = {
        {.type = "Ready", .status = "True", .reason = "", .message = "", .lastTransitionTime = {}}};
    return create(node);
  }

  void addPatientClass(const std::string& name = "local",
                       std::string_view provisioner = kinds::words::kDirectoryProvisioner) {
    kinds::StorageClass made;
    made.metadata.name = name;
    made.provisioner = provisioner;
    made.volumeBindingMode = "WaitForFirstConsumer";
    create(made);
  }

  void addClaim(const std::string& name, const std::string& storageClass = "local") {
    kinds::PersistentVolumeClaim claim;
    claim.metadata.nameSpace = "default";
    claim.metadata.name = name;
    claim.spec.storageClassName = storageClass;
    claim.spec.resources.requests = {{"storage", "1Gi"}};
    create(claim);
  }

  // A volume that only `node` reaches, kept for `claim` unless that is empty.
  void addVolume(const std::string& name, const std::string& node, const std::string& claim,
                 const std::string& storageClass = "local") {
    kinds::PersistentVolume volume;
    volume.metadata.name = name;
    volume.spec.storageClassName = storageClass;
    volume.spec.capacity = {{"storage", "1Gi"}};
    if (!claim.empty())
      volume.spec.claimRef = kinds::ObjectReference{"v1", "PersistentVolumeClaim", "default", claim, ""};
    const object::Requirement here = {std::string(kinds::words::kHostname), object::Requirement::Operator::In, {node}};
    volume.spec.nodeAffinity = kinds::VolumeNodeAffinity{kinds::NodeSelector{{{{here}, {}}}}};
    create(volume);
  }

  void bindClaim(const std::string& name, const std::string& volume) {
    const auto claim = get<kinds::PersistentVolumeClaim>(name);
    auto after = claim;
    after.spec.volumeName = volume;
    const auto named = client.change(claim, after).value();
    after = named;
    after.status.phase = "Bound";
    changeStatus(named, after);
  }

  // What the claim controller does once it knows the node.
  void provision(const std::string& claim, const std::string& node) {
    addVolume("pv-" + claim, node, claim);
    bindClaim(claim, "pv-" + claim);
  }

  void endPod(const std::string& name) {
    const auto pod = get<kinds::Pod>(name);
    auto after = pod;
    after.status.phase = kinds::pod_phase::kSucceeded;
    changeStatus(pod, after);
  }

  // How many pods the scheduler keeps in mind.
  std::size_t assumed() const { return process_->view.roster.assumed(); }
  std::string nodeOf(const std::string& pod) { return get<kinds::Pod>(pod).spec.nodeName; }
  std::string selectedNodeOf(const std::string& claim) {
    return get<kinds::PersistentVolumeClaim>(claim).metadata.annotations[std::string(kinds::words::kSelectedNode)];
  }
  // "status reason: message" of the condition PodScheduled.
  std::string scheduled(const std::string& name) {
    const kinds::Pod pod = get<kinds::Pod>(name);
    const kinds::Condition* condition = kinds::findCondition(pod.status.conditions, "PodScheduled");
    if (!condition) return "";
    if (condition->reason.empty()) return condition->status;
    return condition->status + " " + condition->reason + ": " + condition->message;
  }

 private:
  struct Process {
    Process(const client::Client& client, const Clock& clock, Random& random)
        : view(client, clock, random), reconciler(view), controller("scheduler", reconciler, clock) {
      Reconciler::listen(view, controller);
    }

    View view;
    Reconciler reconciler;
    control::Controller controller;
  };

  ManualClock clock_;
  SeededRandom random_{1};
  store::MemoryStore store_;
  apiserver::ApiServer server_;
  client::InProcessTransport transport_;

 public:
  const client::Client client;

 private:
  std::unique_ptr<Process> process_;
};

}  // namespace godwit::scheduler
