#include "node/container_disks.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/base64.hpp"
#include "base/scratch_directory_test.hpp"

namespace godwit::node {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Importers that do nothing until a test says how they end.
class OrderedImporters final : public Importers {
 public:
  Result<State> state(const std::string& errand) override { return states[errand]; }
  Result<> giveOrders(const importer::Orders& orders) override {
    given[orders.errand] = orders;
    return {};
  }
  Result<> start(const std::string& errand) override {
    states[errand].alive = true;
    return {};
  }
  Result<> cancel(const std::string& errand) override {
    cancelled.push_back(errand);
    return {};
  }
  Result<importer::Sender> reach(const std::string&, std::int64_t) override { return fail(Code::Unavailable, ""); }
  Result<> forget(const std::string& errand) override {
    states.erase(errand);
    return {};
  }
  void whenChanged(std::function<void(const std::string&)>) override {}

  void fill(const std::string& errand) {
    const fs::path target = given.at(errand).target.path;
    fs::create_directories(target.parent_path());
    std::ofstream(target) << "image";
    states[errand] = {.alive = false, .verdict = importer::Verdict{true, "Filled", ""}, .progress = {}};
  }
  void failWith(const std::string& errand, const std::string& reason) {
    states[errand] = {.alive = false, .verdict = importer::Verdict{false, reason, "why"}, .progress = {}};
  }

  std::map<std::string, State> states;
  std::map<std::string, importer::Orders> given;
  std::vector<std::string> cancelled;
};

kinds::Pod podOf(const std::string& uid) {
  kinds::Pod pod;
  pod.metadata.uid = uid;
  pod.metadata.nameSpace = "default";
  return pod;
}

storage::WantedDisk diskOf(kinds::ContainerDisk container) {
  return {"vda", "virtio", "", "root", "", false, std::move(container)};
}

const std::string kFedora = "quay.io/disks/fedora:40";
const std::string kErrandOfFedora = "image-quay.io%2Fdisks%2Ffedora%3A40";

class ContainerDisksTest : public testing::Test {
 protected:
  std::string whyNotYet(const std::string& pod, const std::string& instance, const storage::WantedDisk& disk) {
    const auto why = disks_.whyNotYet(podOf(pod), instance, disk);
    EXPECT_TRUE(why) << why.error().message;
    return why.value_or("");
  }

  std::string fileOf(const std::string& instance) { return directory_.file("guests/" + instance + "/root.img"); }

  const ScratchDirectory directory_;
  ManualClock clock_;
  OrderedImporters importers_;
  std::map<std::string, kinds::Secret> secrets_;
  ContainerDisks disks_{{.node = "node-1",
                         .directory = directory_.path(),
                         .importers = importers_,
                         .clock = clock_,
                         .findSecret = [this](const object::Key& key) -> Result<kinds::Secret> {
                           const auto found = secrets_.find(key.name);
                           if (found == secrets_.end()) return fail(Code::NotFound, key.name);
                           return found->second;
                         }}};
};

TEST_F(ContainerDisksTest, AreMadeOfAKeptImageThatIsFetchedOnce) {
  const auto disk = diskOf({.image = kFedora});
  EXPECT_EQ(whyNotYet("pod-1", "vmi-1", disk), "image " + kFedora + " of volume root is being fetched");
  EXPECT_EQ(whyNotYet("pod-2", "vmi-2", disk), "image " + kFedora + " of volume root is being fetched: 0.0%");
  ASSERT_EQ(importers_.given.size(), 1u);
  EXPECT_EQ(importers_.given[kErrandOfFedora].image->from.url, kFedora);
  EXPECT_EQ(importers_.given[kErrandOfFedora].targetBytes, 0);

  importers_.fill(kErrandOfFedora);
  for (const std::string number : {"1", "2"}) {
    EXPECT_NE(whyNotYet("pod-" + number, "vmi-" + number, disk), "");
    EXPECT_EQ(importers_.given["pod-" + number].original->path,
              directory_.file("images/quay.io%2Fdisks%2Ffedora%3A40.img"));
    importers_.fill("pod-" + number);
    EXPECT_EQ(whyNotYet("pod-" + number, "vmi-" + number, disk), "");
    EXPECT_TRUE(fs::exists(fileOf("vmi-" + number)));
  }
}

TEST_F(ContainerDisksTest, AreFetchedForTheirGuestAloneWhenTheImageMayHaveChanged) {
  const kinds::ContainerDisk changing[] = {{.image = "quay.io/disks/fedora"},
                                           {.image = kFedora, .imagePullPolicy = "Always"}};
  int number = 0;
  for (const auto& disk : changing) {
    const std::string pod = "pod-" + std::to_string(++number), instance = "vmi-" + std::to_string(number);
    EXPECT_NE(whyNotYet(pod, instance, diskOf(disk)), "");
    EXPECT_EQ(importers_.given[pod].image->from.url, disk.image);
    EXPECT_EQ(importers_.given[pod].target.path, fileOf(instance));
    importers_.fill(pod);
    EXPECT_EQ(whyNotYet(pod, instance, diskOf(disk)), "");
  }
  EXPECT_FALSE(fs::exists(directory_.file("images")));
}

TEST_F(ContainerDisksTest, OfTwoFilesOfOneImageAreTwo) {
  (void)whyNotYet("pod-1", "vmi-1", diskOf({.image = kFedora, .path = "/disk/a.img"}));
  (void)whyNotYet("pod-1", "vmi-1", diskOf({.image = kFedora, .path = "/disk/b+c.img"}));
  EXPECT_TRUE(importers_.given.contains(kErrandOfFedora + "%23%2Fdisk%2Fa.img"));
  EXPECT_TRUE(importers_.given.contains(kErrandOfFedora + "%23%2Fdisk%2Fb%2Bc.img"));
}

TEST_F(ContainerDisksTest, AreTriedAgainAfterAWhile) {
  const auto disk = diskOf({.image = kFedora});
  (void)whyNotYet("pod-1", "vmi-1", disk);
  importers_.failWith(kErrandOfFedora, "NotFound");
  EXPECT_EQ(whyNotYet("pod-1", "vmi-1", disk), "image " + kFedora + " of volume root: NotFound: why");
  clock_.advance(9s);
  EXPECT_EQ(whyNotYet("pod-1", "vmi-1", disk), "image " + kFedora + " of volume root: NotFound: why");
  clock_.advance(1s);
  EXPECT_EQ(whyNotYet("pod-1", "vmi-1", disk), "image " + kFedora + " of volume root is being fetched");
  EXPECT_TRUE(importers_.states[kErrandOfFedora].alive);
}

TEST_F(ContainerDisksTest, AreNotFetchedWhereTheyAreNeverToBe) {
  const auto disk = diskOf({.image = kFedora, .imagePullPolicy = "Never"});
  const auto why = disks_.whyNotYet(podOf("pod-1"), "vmi-1", disk);
  ASSERT_FALSE(why);
  EXPECT_EQ(why.error().code, Code::Invalid);
  EXPECT_EQ(why.error().message, "image " + kFedora + " is not on node node-1, and never to be fetched");
  EXPECT_TRUE(importers_.given.empty());

  (void)whyNotYet("pod-1", "vmi-1", diskOf({.image = kFedora}));
  importers_.fill(kErrandOfFedora);
  EXPECT_NE(whyNotYet("pod-1", "vmi-1", disk), "");
  EXPECT_TRUE(importers_.given["pod-1"].original);
}

TEST_F(ContainerDisksTest, ComeFromARegistryThatWantsToKnowWhoAsks) {
  const std::string config =
      R"({"auths":{"quay.io":{"auth":")" + encodeBase64("me:a:secret") + R"("}, "other":{"auth":"x"}}})";
  secrets_["login"].data[".dockerconfigjson"] = encodeBase64(config);
  secrets_["empty"].metadata.name = "empty";

  (void)whyNotYet("pod-1", "vmi-1", diskOf({.image = kFedora, .imagePullSecret = "login"}));
  EXPECT_EQ(importers_.given[kErrandOfFedora].image->from.user, "me");
  EXPECT_EQ(importers_.given[kErrandOfFedora].image->from.password, "a:secret");
  (void)whyNotYet("pod-1", "vmi-1", diskOf({.image = "docker.io/a/b:1", .imagePullSecret = "login"}));
  EXPECT_EQ(importers_.given["image-registry-1.docker.io%2Fa%2Fb%3A1"].image->from.user, "");

  const auto withSecret = [&](const std::string& name) {
    return disks_.whyNotYet(podOf("pod-2"), "vmi-2", diskOf({.image = "quay.io/a/b:2", .imagePullSecret = name}));
  };
  EXPECT_EQ(withSecret("empty").error().code, Code::Invalid);
  EXPECT_EQ(withSecret("absent").error().code, Code::NotFound);
}

TEST_F(ContainerDisksTest, AreMadeEmptyForAGuestThatBringsThem) {
  const auto disk = diskOf({.image = kFedora});
  EXPECT_EQ(disks_.prepare("vmi-1", disk, 0).error().code, Code::Unavailable);
  EXPECT_EQ(disks_.prepare("vmi-1", disk, 4096)->path, fileOf("vmi-1"));
  EXPECT_EQ(fs::file_size(fileOf("vmi-1")), 4096u);
  // One that is there already is the guest's.
  EXPECT_TRUE(disks_.prepare("vmi-1", disk, 8192));
  EXPECT_EQ(fs::file_size(fileOf("vmi-1")), 4096u);
}

TEST_F(ContainerDisksTest, AreRemovedWithTheirGuestAndNoOthers) {
  const auto disk = diskOf({.image = kFedora});
  ASSERT_TRUE(disks_.prepare("vmi-1", disk, 4096));
  ASSERT_TRUE(disks_.prepare("vmi-2", disk, 4096));
  EXPECT_TRUE(disks_.remove("vmi-1"));
  EXPECT_TRUE(disks_.remove("vmi-1"));
  EXPECT_TRUE(disks_.remove(""));
  EXPECT_FALSE(fs::exists(directory_.file("guests/vmi-1")));
  EXPECT_TRUE(fs::exists(fileOf("vmi-2")));
}

TEST_F(ContainerDisksTest, AreGivenUpWhenTheyAreNoLongerMade) {
  (void)whyNotYet("pod-1", "vmi-1", diskOf({.image = "quay.io/disks/fedora"}));
  EXPECT_EQ(disks_.giveUp(podOf("pod-1")).error().code, Code::Unavailable);
  EXPECT_EQ(importers_.cancelled, std::vector<std::string>{"pod-1"});
  importers_.failWith("pod-1", "Cancelled");
  EXPECT_TRUE(disks_.giveUp(podOf("pod-1")));
  EXPECT_FALSE(importers_.states.contains("pod-1"));
}

}  // namespace
}  // namespace godwit::node
