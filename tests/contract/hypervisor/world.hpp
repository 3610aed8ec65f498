#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "hypervisor/hypervisor.hpp"

// Two hosts and their disks, simulated or real, for the suite that all hypervisors must pass.
namespace godwit::hypervisor {

enum class Side { Source, Target };

class World {
 public:
  static constexpr std::int64_t kDiskSize = 256 << 20;

  virtual ~World() = default;

  virtual Hypervisor& at(Side side) = 0;
  virtual std::string uriOf(Side side) = 0;
  virtual std::string socketDirectory() = 0;
  virtual std::string consoleFile(Side side) = 0;

  // A disk of kDiskSize that holds a guest and is full, so that copying it takes a while. Both sides reach it.
  virtual DiskSource makeBootDisk() = 0;
  // An empty one, of the side that uses it.
  virtual DiskSource makeDisk(Side side, std::int64_t size = kDiskSize) = 0;
  // The newest record on the disk; nothing when records are missing.
  virtual std::optional<std::uint64_t> newestRecord(Side side, const DiskSource& disk) = 0;

  // Lets the world go on until `holds` does; false when it does not for a long time.
  virtual bool settle(const std::function<bool()>& holds) = 0;
  // The domains about which a side has reported a change.
  virtual std::set<std::string> changedDomains(Side side) = 0;
};

std::unique_ptr<World> makeSimulatedWorld();

// The two private daemons that all tests of a run share; null with the reason in `whyNot` where they cannot run.
class PrivateNodes;
std::shared_ptr<PrivateNodes> startPrivateNodes(std::string& whyNot);
std::unique_ptr<World> makeLibvirtWorld(PrivateNodes& nodes);

}  // namespace godwit::hypervisor
