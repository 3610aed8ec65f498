#pragma once

#include <memory>

#include "hypervisor/hypervisor.hpp"
#include "hypervisor/simulated/state.hpp"

namespace godwit::hypervisor::simulated {

// A client of one host's daemon. The fabric must outlive it.
class SimulatedClient final : public Hypervisor {
 public:
  SimulatedClient(FabricState& fabric, SimulatedHost& host)
      : fabric_(fabric), host_(host), listener_(std::make_shared<SimulatedListener>(SimulatedListener{host.name, {}})) {
    fabric_.listeners.push_back(listener_);
  }

  Result<Processors> processors() override;
  Result<std::vector<DomainState>> list() override;
  Result<DomainState> describe(const std::string& domain) override;
  Result<RunState> runStateOf(const std::string& domain) override;
  Result<> forgetArrival(const std::string& domain) override;
  Result<> keepSecret(Protocol protocol, const std::string& name, const std::string& password) override;
  Result<> start(const DomainSpec& spec) override;
  Result<> destroy(const std::string& domain) override;
  Result<> shutdown(const std::string& domain) override;
  Ending endingOf(const std::string& domain) override;
  Result<> pause(const std::string& domain) override;
  Result<> resume(const std::string& domain) override;
  Result<> attachDisk(const std::string& domain, const Disk& disk) override;
  Result<> detachDisk(const std::string& domain, const std::string& disk) override;
  Result<> beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination,
                     std::int64_t bytesPerSecond, const std::string& through) override;
  Result<> pivot(const std::string& domain, const std::string& disk) override;
  Result<> cancelCopy(const std::string& domain, const std::string& disk) override;
  Result<std::int64_t> diskSize(const std::string& domain, const std::string& disk) override;
  Result<> resize(const std::string& domain, const std::string& disk, std::int64_t bytes) override;
  Result<std::string> processorOf(const std::string& domain) override;
  Result<std::vector<std::string>> lackingFeatures(const std::string& processor) override;
  Result<> beginMigration(const MigrationOrder& order, std::function<void(Result<>)> ended) override;
  Result<> tune(const std::string& domain, const Tuning& tuning) override;
  Result<> hold(const std::string& domain) override;
  Result<> startPostCopy(const std::string& domain) override;
  Result<> cancelMigration(const std::string& domain) override;
  Result<Fencing> fence(const std::string& domain) override;
  bool isShutOut(const std::string& domain) override;
  void whenChanged(std::function<void(const std::string&)> changed) override {
    listener_->changed = std::move(changed);
  }

 private:
  Result<> reach() const;
  Result<SimulatedGuest*> find(const std::string& domain);
  Result<DiskState*> findDisk(const std::string& domain, const std::string& disk);
  // A disk with which nothing else is under way.
  Result<DiskState*> findIdleDisk(const std::string& domain, const std::string& disk);
  Result<SimulatedImage*> imageOf(const DiskState& disk);
  // Of this host's guest, to elsewhere; null when there is none.
  Journey* departure(const std::string& domain);
  Result<Journey> plan(const MigrationOrder& order);
  DomainState stateOf(const SimulatedGuest& guest);
  void remove(const std::string& domain);

  FabricState& fabric_;
  SimulatedHost& host_;
  std::shared_ptr<SimulatedListener> listener_;
};

}  // namespace godwit::hypervisor::simulated
