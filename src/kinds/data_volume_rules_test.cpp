#include "kinds/data_volume_rules.hpp"

#include <gtest/gtest.h>

namespace godwit::kinds {
namespace {

// A good one; each test bends one thing.
DataVolume healthy() {
  DataVolume volume;
  volume.metadata.nameSpace = "default";
  volume.spec.source.http =
      HttpSource{.url = "https://example.com/a.qcow2", .checksum = "", .secretRef = "", .certConfigMap = ""};
  volume.spec.pvc.emplace().resources.requests["storage"] = "1Gi";
  return volume;
}

std::vector<std::string> pathsOf(const DataVolume& volume) {
  std::vector<std::string> paths;
  for (const FieldProblem& problem : problemsOf(volume)) paths.push_back(problem.path);
  return paths;
}

using Paths = std::vector<std::string>;

TEST(DataVolumeRules, FindNothingWrongWithADownload) { EXPECT_EQ(pathsOf(healthy()), Paths{}); }

TEST(DataVolumeRules, WantExactlyOneSource) {
  auto volume = healthy();
  volume.spec.source.blank.emplace();
  EXPECT_EQ(pathsOf(volume), Paths{"spec.source"});
  volume.spec.source = {};
  EXPECT_EQ(pathsOf(volume), Paths{"spec.source"});
}

TEST(DataVolumeRules, TakeAnUploadAlone) {
  auto volume = healthy();
  volume.spec.source.upload.emplace();
  EXPECT_EQ(pathsOf(volume), Paths{"spec.source"});
  volume.spec.source.http.reset();
  EXPECT_EQ(pathsOf(volume), Paths{});
}

TEST(DataVolumeRules, TakeAContainerImageByItsName) {
  auto volume = healthy();
  volume.spec.source.http.reset();
  volume.spec.source.registry.emplace().url = "docker://quay.io/containerdisks/fedora:40";
  EXPECT_EQ(pathsOf(volume), Paths{});
  for (const char* wrong : {"quay.io/containerdisks/fedora:40", "docker://", "docker://Upper/case"}) {
    volume.spec.source.registry->url = wrong;
    EXPECT_EQ(pathsOf(volume), Paths{"spec.source.registry.url"}) << wrong;
  }
}

TEST(DataVolumeRules, WantExactlyOneClaim) {
  auto volume = healthy();
  volume.spec.storage = volume.spec.pvc;
  EXPECT_EQ(pathsOf(volume), Paths{"spec"});
  volume.spec.pvc.reset();
  EXPECT_EQ(pathsOf(volume), Paths{});
}

TEST(DataVolumeRules, WantASizeUnlessItIsThatOfACopiedClaim) {
  auto volume = healthy();
  volume.spec.pvc->resources.requests.clear();
  EXPECT_EQ(pathsOf(volume), Paths{"spec.pvc.resources.requests.storage"});
  volume.spec.storage = std::exchange(volume.spec.pvc, std::nullopt);
  EXPECT_EQ(pathsOf(volume), Paths{"spec.storage.resources.requests.storage"});
  volume.spec.source = {};
  volume.spec.source.pvc = ClaimSource{"", "a"};
  EXPECT_EQ(pathsOf(volume), Paths{});
}

TEST(DataVolumeRules, KnowAChecksumWhenTheySeeOne) {
  auto volume = healthy();
  volume.spec.source.http->checksum = "md5:0123456789abcdef0123456789ABCDEF";
  EXPECT_EQ(pathsOf(volume), Paths{});
  for (const char* wrong :
       {"md5:0123", "crc:00", "0123456789abcdef0123456789abcdef", "md5:0123456789abcdef0123456789abcdeg"}) {
    volume.spec.source.http->checksum = wrong;
    EXPECT_EQ(pathsOf(volume), Paths{"spec.source.http.checksum"}) << wrong;
  }
}

TEST(DataVolumeRules, FetchOnlyByHttp) {
  auto volume = healthy();
  volume.spec.source.http->url = "file:///etc/passwd";
  EXPECT_EQ(pathsOf(volume), Paths{"spec.source.http.url"});
}

TEST(DataVolumeRules, CopyOnlyWithinANamespace) {
  auto volume = healthy();
  volume.spec.source = {};
  volume.spec.source.pvc = ClaimSource{"default", "a"};
  EXPECT_EQ(pathsOf(volume), Paths{});
  volume.spec.source.pvc->nameSpace = "other";
  EXPECT_EQ(pathsOf(volume), Paths{"spec.source.pvc.namespace"});
}

}  // namespace
}  // namespace godwit::kinds
