#include "kinds/claim_templates.hpp"

#include <gtest/gtest.h>

namespace godwit::kinds {
namespace {

const std::string kInlined =
    R"([{"metadata":{"name":"my-vol"},"spec":{"resources":{"requests":{"storage":"10Gi"}}},"targetVolume":"new-vol"}])";
const std::string kNested =
    R"([{"pvc":{"metadata":{"name":"my-vol","namespace":"default"},"spec":{}},"targetVolume":"new-vol"},{"pvc":{}}])";

PersistentVolumeClaim newVolume() {
  PersistentVolumeClaim claim;
  claim.metadata.name = "new-vol";
  claim.metadata.annotations = {{"harvesterhci.io/imageId", "default/image"},
                                {"kubectl.kubernetes.io/last-applied-configuration", "{}"}};
  claim.spec.accessModes = {"ReadWriteMany"};
  claim.spec.storageClassName = "longhorn";
  claim.spec.volumeName = "pvc-1";
  claim.spec.resources.requests = {{"storage", "20Gi"}};
  return claim;
}

TEST(ClaimTemplates, AreReadInBothForms) {
  for (const std::string& form : {kInlined, kNested}) {
    const auto templates = readClaimTemplates(form).value();
    EXPECT_EQ(templates[0].name(), "my-vol");
    EXPECT_EQ(templates[0].targetVolume(), "new-vol");
    EXPECT_EQ(writeClaimTemplates(templates), form);
  }
  EXPECT_EQ(readClaimTemplates(kInlined).value()[0].storage(), "10Gi");
}

TEST(ClaimTemplates, MayBeNone) {
  EXPECT_TRUE(readClaimTemplates("").value().empty());
  EXPECT_TRUE(readClaimTemplates("null").value().empty());
  EXPECT_EQ(writeClaimTemplates({}), "");
}

TEST(ClaimTemplates, SayWhatCannotBeRead) {
  for (const char* text : {"[{", "{}", "[1]"}) {
    const auto read = readClaimTemplates(text);
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().message.starts_with("failed to unmarshal volumeClaimTemplates annotation: "));
  }
}

TEST(ClaimTemplates, BecomeThatOfAnotherClaimInTheFormTheyHave) {
  auto templates = readClaimTemplates(kInlined).value();
  templates[0].become(newVolume());
  EXPECT_EQ(writeClaimTemplates(templates),
            R"([{"metadata":{"name":"new-vol","annotations":{"harvesterhci.io/imageId":"default/image"}},)"
            R"("spec":{"accessModes":["ReadWriteMany"],"resources":{"requests":{"storage":"20Gi"}},)"
            R"("storageClassName":"longhorn","volumeMode":"Filesystem"}}])");
  auto nested = readClaimTemplates(kNested).value();
  nested[0].become(newVolume());
  EXPECT_EQ(nested[0].name(), "new-vol");
  EXPECT_EQ(nested[0].targetVolume(), "");
  EXPECT_TRUE(nested[0].written().contains("pvc"));
}

}  // namespace
}  // namespace godwit::kinds
