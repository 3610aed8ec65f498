#include "contract/hypervisor/world.hpp"
#include "hypervisor/simulated/fabric.hpp"

namespace godwit::hypervisor {

namespace {

class SimulatedWorld final : public World {
 public:
  SimulatedWorld() {
    for (const Side side : {Side::Source, Side::Target}) {
      fabric_.addHost(nameOf(side));
      (side == Side::Source ? source_ : target_) = fabric_.connect(uriOf(side)).value();
      at(side).whenChanged([this, side](const std::string& domain) { changed_[side].insert(domain); });
    }
  }

  Hypervisor& at(Side side) override { return side == Side::Source ? *source_ : *target_; }
  std::string uriOf(Side side) override { return simulated::SimulatedFabric::uriOf(nameOf(side)); }
  std::string socketDirectory() override { return "/sockets"; }
  std::string consoleFile(Side side) override { return "/consoles/" + nameOf(side); }

  DiskSource makeBootDisk() override { return makeImage("", kDiskSize); }
  DiskSource makeDisk(Side side, std::int64_t size) override { return makeImage(nameOf(side), size); }

  std::optional<std::uint64_t> newestRecord(Side side, const DiskSource& disk) override {
    const auto content = fabric_.inspectImage(nameOf(side), disk.path);
    if (!content || !content->whole) return std::nullopt;
    return content->newestRecord;
  }

  bool settle(const std::function<bool()>& holds) override {
    constexpr int kSteps = 10'000;
    for (int step = 0; step < kSteps && !holds(); ++step) fabric_.step(random_);
    return holds();
  }

  std::set<std::string> changedDomains(Side side) override { return changed_[side]; }

 private:
  static std::string nameOf(Side side) { return side == Side::Source ? "a" : "b"; }

  DiskSource makeImage(const std::string& host, std::int64_t size) {
    const std::string path = "/disks/" + std::to_string(++images_);
    fabric_.createImage(host, path, size);
    return {.path = path};
  }

  simulated::SimulatedFabric fabric_;
  SeededRandom random_{1};
  std::unique_ptr<Hypervisor> source_;
  std::unique_ptr<Hypervisor> target_;
  std::map<Side, std::set<std::string>> changed_;
  int images_ = 0;
};

}  // namespace

std::unique_ptr<World> makeSimulatedWorld() { return std::make_unique<SimulatedWorld>(); }

}  // namespace godwit::hypervisor
