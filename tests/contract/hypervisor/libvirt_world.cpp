#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "contract/hypervisor/private_nodes.hpp"
#include "guest/records.hpp"

namespace godwit::hypervisor {

namespace {

using namespace std::chrono_literals;

class LibvirtWorld final : public World {
 public:
  explicit LibvirtWorld(PrivateNodes& nodes) : nodes_(nodes) {
    for (const Side side : {Side::Source, Side::Target}) {
      (side == Side::Source ? source_ : target_) = nodeOf(side).connect(*nodes_.loop);
      at(side).whenChanged([this, side](const std::string& domain) { note(side, domain); });
    }
    std::filesystem::create_directories(socketDirectory());
  }

  ~LibvirtWorld() override {
    for (const Side side : {Side::Source, Side::Target}) {
      const auto domains = at(side).list();
      if (!domains) continue;
      for (const DomainState& domain : *domains) (void)at(side).destroy(domain.name);
    }
  }

  Hypervisor& at(Side side) override { return side == Side::Source ? *source_ : *target_; }
  std::string uriOf(Side side) override { return uri(nodeOf(side).house()); }
  std::string socketDirectory() override { return nodes_.directory.file("sockets"); }
  std::string consoleFile(Side side) override { return disks_.file(side == Side::Source ? "a.log" : "b.log"); }

  DiskSource makeBootDisk() override {
    constexpr std::uint32_t kFilledPages = 3000;  // of the 4096 that a guest of 16 MiB has
    DiskSource disk = makeDisk(Side::Source, kDiskSize);
    fill(disk.path);
    demand(guest::install(disk.path, kDiskSize, {.memoryPages = kFilledPages}));
    return disk;
  }

  DiskSource makeDisk(Side, std::int64_t size) override {
    const std::string path = disks_.file(std::to_string(++images_) + ".img");
    ::close(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(size));
    return {.path = path};
  }

  std::optional<std::uint64_t> newestRecord(Side, const DiskSource& disk) override {
    const auto verdict = guest::verify(disk.path);
    if (!verdict || !verdict->bad.empty()) return std::nullopt;
    return verdict->last;
  }

  bool settle(const std::function<bool()>& holds) override {
    const SystemClock clock;
    const Timestamp deadline = clock.now() + 60s;
    while (!holds()) {
      if (clock.now() > deadline) return false;
      const Lock lock(mutex_);
      // What a guest writes makes no event, so the world is looked at again now and then.
      news_.waitFor(mutex_, {}, 50ms, [&]() REQUIRES(mutex_) { return std::exchange(unseen_, false); });
    }
    return true;
  }

  std::set<std::string> changedDomains(Side side) override {
    const Lock lock(mutex_);
    return changed_[side];
  }

 private:
  const PrivateNode& nodeOf(Side side) const { return side == Side::Source ? nodes_.source : nodes_.target; }

  void note(Side side, const std::string& domain) {
    const Lock lock(mutex_);
    changed_[side].insert(domain);
    unseen_ = true;
    news_.notifyAll();
  }

  // Beyond the records, which start out empty.
  static void fill(const std::string& path) {
    constexpr std::int64_t kFrom = 1 << 20;
    std::array<char, 1 << 20> block;
    block.fill('x');
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    for (std::int64_t at = kFrom; at < kDiskSize; at += static_cast<std::int64_t>(block.size()))
      if (::pwrite(file, block.data(), block.size(), at) < 0) throw std::runtime_error("cannot fill " + path);
    ::close(file);
  }

  PrivateNodes& nodes_;
  const ScratchDirectory disks_;
  int images_ = 0;
  Mutex mutex_;
  Signal news_;
  bool unseen_ GUARDED_BY(mutex_) = false;
  std::map<Side, std::set<std::string>> changed_ GUARDED_BY(mutex_);
  std::unique_ptr<Hypervisor> source_;
  std::unique_ptr<Hypervisor> target_;
};

}  // namespace

std::unique_ptr<World> makeLibvirtWorld(PrivateNodes& nodes) { return std::make_unique<LibvirtWorld>(nodes); }

}  // namespace godwit::hypervisor
