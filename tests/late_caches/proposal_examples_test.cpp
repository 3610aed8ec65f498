#include "controllers/volume_migration/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"
#include "object/yaml.hpp"

namespace godwit::controllers::volume_migration {
namespace {

using object::Document;

// The examples of the proposal, YAML in and YAML out. Where they differ from its types the types hold: the three fields
// of a volume are inline, the policy is Retain where none was said, and reasons are the constants.
class ProposalExamples : public LateCaches<Reconciler> {
 protected:
  void apply(std::string_view text) {
    const std::vector<json::value> documents = object::parseYaml(text).value();
    for (const json::value& value : documents) {
      Document document = value.as_object();
      document["metadata"].as_object()["namespace"] = "default";
      const bool machine = document.at("kind") == "VirtualMachine";
      if (machine) document["spec"].as_object()["running"] = true;  // which the examples leave out
      ASSERT_TRUE(client.create(kindOf(document), document));
      if (machine) run(document);
    }
    for (int pass = 0; pass < 4; ++pass) {
      learnEverything();
      act();
    }
  }

  void makeClaims(std::initializer_list<const char*> names) {
    for (const char* name : names) {
      kinds::PersistentVolumeClaim claim;
      claim.metadata.name = name;
      claim.metadata.nameSpace = "default";
      claim.spec.accessModes = {"ReadWriteOnce"};
      claim.spec.resources.requests = {{"storage", "1Gi"}};
      ASSERT_TRUE(client.create(claim));
    }
  }

  // The status as the example has it: without what only Godwit says, and without the times.
  json::value status() {
    const Document wish = client.get(schema::kind<kinds::VolumeMigration>, {"default", "vol-mig"}).value();
    json::object said = wish.at("status").as_object();
    said.erase("godwit");
    for (json::value& transition : said["phaseTransitionTimestamps"].as_array())
      EXPECT_EQ(transition.as_object().erase("phaseTransitionTimestamp"), 1u);
    said.erase("endTimestamp");
    return said;
  }
  static json::value yaml(std::string_view text) { return object::parseYaml(text).value().at(0); }

 private:
  static schema::Kind kindOf(const Document& document) {
    if (document.at("kind") == "VirtualMachine") return schema::kind<kinds::VirtualMachine>;
    return schema::kind<kinds::VolumeMigration>;
  }

  void run(const Document& machine) {
    Document instance = machine.at("spec").at("template").as_object();
    instance["metadata"] = {{"name", machine.at("metadata").at("name")}, {"namespace", "default"}};
    instance["status"] = {{"phase", "Running"}};
    ASSERT_TRUE(client.create(schema::kind<kinds::VirtualMachineInstance>, instance));
  }
};

TEST_F(ProposalExamples, TheMigratedVolumesBelongToMultipleVmis) {
  makeClaims({"src-pvc1", "src-pvc2", "dest-pvc1", "dest-pvc2"});
  apply(R"(
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: vm1
spec:
  template:
    spec:
      domain:
        devices:
          disks:
          - disk:
              bus: virtio
            name: datavolumedisk
      volumes:
      - dataVolume:
          name: src-pvc1
        name: datavolumedisk
---
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: vm2
spec:
  template:
    spec:
      domain:
        devices:
          disks:
          - disk:
              bus: virtio
            name: datavolumedisk
      volumes:
      - dataVolume:
          name: src-pvc2
        name: datavolumedisk
---
apiVersion: storage.kubevirt.io/v1alpha1
kind: VolumeMigration
metadata:
  name: vol-mig
spec:
  migratedVolume:
  - sourceClaim: src-pvc1
    destinationClaim: dest-pvc1
  - sourceClaim: src-pvc2
    destinationClaim: dest-pvc2
)");
  EXPECT_EQ(status(), yaml(R"(
volumeMigrationStates:
- sourceClaim: src-pvc1
  destinationClaim: dest-pvc1
  sourceReclaimPolicy: "Retain"
  validation: "Rejected"
  reason: "Volumes need to belong to the same VMI"
- sourceClaim: src-pvc2
  destinationClaim: dest-pvc2
  sourceReclaimPolicy: "Retain"
  validation: "Rejected"
  reason: "Volumes need to belong to the same VMI"
phase: Failed
phaseTransitionTimestamps:
- phase: Failed
)")) << object::writeYaml(status());
}

TEST_F(ProposalExamples, PendingVolumesIfThereAreNoVmis) {
  makeClaims({"src-pvc1", "src-pvc2", "dest-pvc1", "dest-pvc2"});
  apply(R"(
apiVersion: storage.kubevirt.io/v1alpha1
kind: VolumeMigration
metadata:
  name: vol-mig
spec:
  migratedVolume:
  - sourceClaim: src-pvc1
    destinationClaim: dest-pvc1
  - sourceClaim: src-pvc2
    destinationClaim: dest-pvc2
)");
  EXPECT_EQ(status(), yaml(R"(
volumeMigrationStates:
- sourceClaim: src-pvc1
  destinationClaim: dest-pvc1
  sourceReclaimPolicy: "Retain"
  validation: "Pending"
  reason: "No VMI associated to the volume"
- sourceClaim: src-pvc2
  destinationClaim: dest-pvc2
  sourceReclaimPolicy: "Retain"
  validation: "Pending"
  reason: "No VMI associated to the volume"
phase: Pending
phaseTransitionTimestamps:
- phase: Pending
)")) << object::writeYaml(status());
}

TEST_F(ProposalExamples, SomeOfTheVolumesAreRejectedAndSomeAreValid) {
  makeClaims({"src-pvc1", "src-pvc2", "src-pvc3", "dest-pvc1", "dest-pvc2", "dest-pvc3"});
  apply(R"(
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: vm
spec:
  template:
    spec:
      domain:
        devices:
          disks:
          - disk:
              bus: virtio
            shareable: true
            name: datavolumedisk1
          - disk:
              bus: virtio
            name: datavolumedisk2
          filesystems:
          - name: datavolumedisk3
            virtiofs: {}
      volumes:
      - dataVolume:
          name: src-pvc1
        name: datavolumedisk1
      - dataVolume:
          name: src-pvc2
        name: datavolumedisk2
      - dataVolume:
          name: src-pvc3
        name: datavolumedisk3
---
apiVersion: storage.kubevirt.io/v1alpha1
kind: VolumeMigration
metadata:
  name: vol-mig
spec:
  migratedVolume:
  - sourceClaim: src-pvc1
    destinationClaim: dest-pvc1
  - sourceClaim: src-pvc2
    destinationClaim: dest-pvc2
  - sourceClaim: src-pvc3
    destinationClaim: dest-pvc3
)");
  EXPECT_EQ(status(), yaml(R"(
volumeMigrationStates:
- sourceClaim: src-pvc1
  destinationClaim: dest-pvc1
  sourceReclaimPolicy: "Retain"
  validation: "Rejected"
  reason: "Shareable disks aren't supported to be migrated"
- sourceClaim: src-pvc2
  destinationClaim: dest-pvc2
  sourceReclaimPolicy: "Retain"
  validation: "Valid"
- sourceClaim: src-pvc3
  destinationClaim: dest-pvc3
  sourceReclaimPolicy: "Retain"
  validation: "Rejected"
  reason: "Filesystem volumes aren't supported to be migrated"
phase: Failed
phaseTransitionTimestamps:
- phase: Failed
)")) << object::writeYaml(status());
}

}  // namespace
}  // namespace godwit::controllers::volume_migration
