#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "hypervisor/hypervisor.hpp"

namespace godwit::hypervisor::simulated {

struct FabricState;
struct SimulatedHost;

// Hosts, their guests and their disks, all in memory. Nothing happens by itself: step() lets every running
// guest write one record and moves copies and migrations on by as much as the dice say. Same calls and
// same dice, same history. For one thread.
class SimulatedFabric {
 public:
  SimulatedFabric();
  ~SimulatedFabric();
  SimulatedFabric(const SimulatedFabric&) = delete;
  SimulatedFabric& operator=(const SimulatedFabric&) = delete;

  void addHost(const std::string& name);
  static std::string uriOf(const std::string& host) { return "simulated://" + host; }
  // A client of a host's daemon; NotFound when there is no such host. Destroying it is the death of
  // the client: its callbacks are never called again, and what is its own to bring to an end does not get there.
  Result<std::unique_ptr<Hypervisor>> connect(const std::string& uri);

  // An image that one host reaches, or, of host "", that all do. Replaces what was there.
  void createImage(const std::string& host, const std::string& path, std::int64_t size);
  // Under whoever uses it; nothing happens to one that is as large, or not there.
  void growImage(const std::string& host, const std::string& path, std::int64_t size);
  void removeImage(const std::string& host, const std::string& path);
  struct ImageContent {
    std::int64_t size;
    std::uint64_t newestRecord;
    bool whole;  // nothing of what was written before the newest record is missing
  };
  // As the host finds it; nothing when it does not.
  std::optional<ImageContent> inspectImage(const std::string& host, const std::string& path) const;

  // The first byte from `from` up to `to` at which two images are not the same. NotFound when the host does not find
  // one of them.
  Result<std::optional<std::int64_t>> firstDifference(const std::string& host, const std::string& left,
                                                      const std::string& right, std::int64_t from,
                                                      std::int64_t to) const;
  // Takes away what was last written to an image, behind the back of whoever uses it.
  void spoilImage(const std::string& host, const std::string& path);

  // How much of its memory a guest changes in a step from now on; it takes that along. Nothing at first.
  void letDirty(const std::string& domain, std::int64_t bytes);

  // What the processor of a host can do, and guests that are started there count on. Nothing in particular at first.
  void setFeatures(const std::string& host, std::set<std::string> features);

  // A host without power has lost its guests; its images stay. With power comes a daemon.
  void cutPower(const std::string& host);
  void restorePower(const std::string& host);
  // While the daemon is down calls are Unavailable; while it is stalled they are Timeout. Guests and copies run on.
  void killDaemon(const std::string& host);
  void startDaemon(const std::string& host);
  void stallDaemon(const std::string& host);
  void continueDaemon(const std::string& host);

  // Between two hosts whose link is cut nothing flows, while whoever is elsewhere reaches both.
  void cutLink(const std::string& one, const std::string& other);
  void mendLinks();
  bool linked(const std::string& one, const std::string& other) const;

  // Callbacks of clients are called from here, at the end.
  void step(Random& random);

  // Whether a host has the domain, in whatever state.
  bool has(const std::string& host, const std::string& domain) const;
  int runningCopies(const std::string& domain) const;
  // The newest record that a running copy knows of; nothing when none runs.
  std::optional<std::uint64_t> newestRecord(const std::string& domain) const;
  // The newest record that the guest of that uuid holds for safely written.
  std::uint64_t acknowledgedRecord(const std::string& uuid) const;
  // What must never happen, and did: two guests writing one image, records forgotten, a disk gone.
  const std::vector<std::string>& violations() const;

 private:
  SimulatedHost& host(const std::string& name);
  void runGuest(SimulatedHost& host, const std::string& name);
  void deliver();

  std::unique_ptr<FabricState> state_;
};

}  // namespace godwit::hypervisor::simulated
