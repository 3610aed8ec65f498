#include "hypervisor/sieve.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/scratch_directory_test.hpp"
#include "base/unix_socket.hpp"

namespace godwit::hypervisor {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

// A server that knows no holes but in what was never written: zeros that reach it take room.
class SievedDisk : public testing::Test {
 protected:
  SievedDisk() {
    std::ofstream(disk_).flush();
    std::filesystem::resize_file(disk_, 8 * kMebibyte);
  }

  int run(std::vector<std::string> argv) {
    return Process::start({.argv = std::move(argv), .outputFile = output_, .errorFile = output_})
        .and_then([](Process child) { return child.wait(); })
        .map([](const Exit& ended) { return ended.signal != 0 ? -ended.signal : ended.status; })
        .value_or(-1);
  }

  Descriptor line(const std::string& image) {
    EXPECT_EQ(run({"/usr/bin/qemu-nbd", "--fork", "--format=raw", "--export-name=vda", "--socket=" + server_, image}),
              0);
    auto connected = connectTo(server_);
    EXPECT_TRUE(connected);
    return connected ? std::move(*connected) : Descriptor();
  }

  std::unique_ptr<Sieve> open(Sieve::Disks disks, const std::string& image = "") {
    std::vector<Descriptor> lines;
    lines.push_back(line(image.empty() ? disk_ : image));
    auto opened = Sieve::open(socket_, std::move(lines), std::move(disks));
    EXPECT_TRUE(opened);
    return opened ? std::move(*opened) : nullptr;
  }

  // One client, who says all of that. A write of zeros is one that may leave holes nowhere.
  void client(const std::vector<std::string>& words) {
    std::vector<std::string> argv = {"/usr/bin/qemu-io", "-f", "raw"};
    for (const std::string& word : words) argv.insert(argv.end(), {"-c", word});
    argv.push_back(fmt::format("nbd+unix:///vda?socket={}", socket_));
    EXPECT_EQ(run(argv), 0) << readFile(output_).value_or("");
    EXPECT_EQ(readFile(output_).value_or("").find("failed"), std::string::npos) << readFile(output_).value_or("");
  }

  // It does so after any client that has chosen a disk.
  void endServer() {
    EXPECT_EQ(
        run({"/usr/bin/qemu-io", "-f", "raw", "-c", "read 0 512", fmt::format("nbd+unix:///vda?socket={}", server_)}),
        0);
  }

  std::int64_t room() const {
    struct stat found {};
    EXPECT_EQ(stat(disk_.c_str(), &found), 0);
    return found.st_blocks * 512;
  }

  const ScratchDirectory directory_;
  const std::string disk_ = directory_.file("disk.img");
  const std::string server_ = directory_.file("server");
  const std::string socket_ = directory_.file("sieve");
  const std::string output_ = directory_.file("output");
};

TEST_F(SievedDisk, TakesNoRoomForZerosThatAreThere) {
  const auto sieve = open({{"vda", true}});
  client({"write -z 0 8M", "write -P 7 1M 64k", "write -z 2M 6M", "read -P 7 1M 64k", "flush"});
  EXPECT_EQ(room(), 64 << 10);
}

TEST_F(SievedDisk, TakesNoRoomForZerosThatComeAsData) {
  for (const bool blank : {true, false}) {
    const auto sieve = open({{"vda", blank}});
    client({"write -P 0 0 8M", "write -P 7 1M 64k", "write -P 0 2M 6M"});
    EXPECT_EQ(room(), 64 << 10);
  }
}

TEST_F(SievedDisk, IsLookedAtWhenNothingIsKnownOfIt) {
  const auto sieve = open({{"vda", false}});
  client({"write -z 0 8M", "write -P 7 1M 64k", "write -z 2M 6M", "flush"});
  EXPECT_EQ(room(), 64 << 10);
}

TEST_F(SievedDisk, HasZerosWhereTheyAreWrittenOverData) {
  for (const bool blank : {true, false}) {
    {
      const auto sieve = open({{"vda", blank}});
      client({"write -P 7 0 3M", "write -z 512 2M", "write -P 0 2560k 512", "write -P 9 4096 512"});
    }
    std::string wanted(8 * kMebibyte, '\0');
    std::fill_n(wanted.begin(), 3 * kMebibyte, 7);
    std::fill_n(wanted.begin() + 512, 2 * kMebibyte, 0);
    std::fill_n(wanted.begin() + 2560 * 1024, 512, 0);
    std::fill_n(wanted.begin() + 4096, 512, 9);
    EXPECT_TRUE(readFile(disk_).value_or("") == wanted);
  }
}

TEST_F(SievedDisk, KeepsNothingOfWhatWasThereBefore) {
  std::ofstream(disk_, std::ios::in | std::ios::out).seekp(5 * kMebibyte).write("old", 3);
  const auto sieve = open({{"vda", false}});
  client({"write -z 0 8M"});
  EXPECT_TRUE(readFile(disk_).value_or("") == std::string(8 * kMebibyte, '\0'));
  EXPECT_LE(room(), kMebibyte);
}

TEST_F(SievedDisk, IsOneThatWasNamed) {
  const auto sieve = open({{"vdb", true}});
  client({"write -z 0 8M"});
  EXPECT_EQ(room(), 8 * kMebibyte);
}

TEST_F(SievedDisk, IsOfUseAfterAReadThatHasFailed) {
  const auto sieve = open(
      {{"vda", true}},
      fmt::format(
          R"(json:{{"driver":"raw","file":{{"driver":"blkdebug","image":{{"driver":"file","filename":"{}"}},)"
          R"("inject-error":[{{"event":"none","iotype":"read","errno":5,"once":true,"immediately":true,"sector":4096}}]}}}})",
          disk_));
  const std::string socket = fmt::format("nbd+unix:///vda?socket={}", socket_);
  EXPECT_EQ(run({"/usr/bin/timeout", "10", "/usr/bin/qemu-io", "-f", "raw", "-c", "read 2M 64k", "-c",
                 "write -P 7 2M 64k", "-c", "read -P 7 2M 64k", socket}),
            1);
  const std::string said = readFile(output_).value_or("");
  EXPECT_NE(said.find("read failed"), std::string::npos) << said;
  EXPECT_NE(said.find("wrote 65536/65536"), std::string::npos) << said;
  EXPECT_NE(said.find("read 65536/65536"), std::string::npos) << said;
}

TEST_F(SievedDisk, IsNotToBeReachedTwiceOverOneLine) {
  const auto sieve = open({{"vda", true}});
  struct stat found {};
  ASSERT_EQ(stat(socket_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
  client({"read 0 512"});
  EXPECT_FALSE(connectTo(socket_));
}

TEST_F(SievedDisk, IsLetGoOfWithTheSieve) {
  open({{"vda", true}}).reset();
  endServer();
  EXPECT_FALSE(std::filesystem::exists(socket_));
}

TEST_F(SievedDisk, CanBeLetGoOfInTheMiddleOfAConversation) {
  auto sieve = open({{"vda", true}});
  const auto client = connectTo(socket_);
  ASSERT_TRUE(client);
  std::string greeting(18, '\0');
  ASSERT_TRUE(receiveAll(client->number(), greeting.data(), greeting.size()));
  EXPECT_EQ(greeting.substr(0, 16), "NBDMAGICIHAVEOPT");
  sieve.reset();
  char more = 0;
  EXPECT_FALSE(receiveAll(client->number(), &more, 1));
  endServer();
}

}  // namespace
}  // namespace godwit::hypervisor
