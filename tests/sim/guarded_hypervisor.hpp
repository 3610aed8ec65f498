#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hypervisor/hypervisor.hpp"

namespace godwit::sim {

// A hypervisor behind a guard that is asked before every call, and may refuse it.
class GuardedHypervisor : public hypervisor::Hypervisor {
 public:
  using Guard = std::function<Result<>()>;

  GuardedHypervisor(std::unique_ptr<Hypervisor> behind, Guard guard)
      : behind_(std::move(behind)), guard_(std::move(guard)) {}

  Result<hypervisor::Processors> processors() override { return pass(&Hypervisor::processors); }
  Result<std::vector<hypervisor::DomainState>> list() override { return pass(&Hypervisor::list); }
  Result<hypervisor::DomainState> describe(const std::string& domain) override {
    return pass(&Hypervisor::describe, domain);
  }
  Result<hypervisor::RunState> runStateOf(const std::string& domain) override {
    return pass(&Hypervisor::runStateOf, domain);
  }
  Result<> forgetArrival(const std::string& domain) override { return pass(&Hypervisor::forgetArrival, domain); }
  Result<> keepSecret(hypervisor::Protocol protocol, const std::string& name, const std::string& password) override {
    return pass(&Hypervisor::keepSecret, protocol, name, password);
  }
  Result<> start(const hypervisor::DomainSpec& spec) override { return pass(&Hypervisor::start, spec); }
  Result<> destroy(const std::string& domain) override { return pass(&Hypervisor::destroy, domain); }
  Result<> shutdown(const std::string& domain) override { return pass(&Hypervisor::shutdown, domain); }
  hypervisor::Ending endingOf(const std::string& domain) override { return behind_->endingOf(domain); }
  Result<> pause(const std::string& domain) override { return pass(&Hypervisor::pause, domain); }
  Result<> resume(const std::string& domain) override { return pass(&Hypervisor::resume, domain); }
  Result<> attachDisk(const std::string& domain, const hypervisor::Disk& disk) override {
    return pass(&Hypervisor::attachDisk, domain, disk);
  }
  Result<> detachDisk(const std::string& domain, const std::string& disk) override {
    return pass(&Hypervisor::detachDisk, domain, disk);
  }
  Result<> beginCopy(const std::string& domain, const std::string& disk, const hypervisor::DiskSource& destination,
                     std::int64_t bytesPerSecond, const std::string& through) override {
    return pass(&Hypervisor::beginCopy, domain, disk, destination, bytesPerSecond, through);
  }
  Result<> pivot(const std::string& domain, const std::string& disk) override {
    return pass(&Hypervisor::pivot, domain, disk);
  }
  Result<> cancelCopy(const std::string& domain, const std::string& disk) override {
    return pass(&Hypervisor::cancelCopy, domain, disk);
  }
  Result<std::int64_t> diskSize(const std::string& domain, const std::string& disk) override {
    return pass(&Hypervisor::diskSize, domain, disk);
  }
  Result<> resize(const std::string& domain, const std::string& disk, std::int64_t bytes) override {
    return pass(&Hypervisor::resize, domain, disk, bytes);
  }
  Result<std::string> processorOf(const std::string& domain) override { return pass(&Hypervisor::processorOf, domain); }
  Result<std::vector<std::string>> lackingFeatures(const std::string& processor) override {
    return pass(&Hypervisor::lackingFeatures, processor);
  }
  Result<> beginMigration(const hypervisor::MigrationOrder& order, std::function<void(Result<>)> ended) override {
    return pass(&Hypervisor::beginMigration, order, std::move(ended));
  }
  Result<> cancelMigration(const std::string& domain) override { return pass(&Hypervisor::cancelMigration, domain); }
  Result<> tune(const std::string& domain, const hypervisor::Tuning& tuning) override {
    return pass(&Hypervisor::tune, domain, tuning);
  }
  Result<> startPostCopy(const std::string& domain) override { return pass(&Hypervisor::startPostCopy, domain); }
  Result<> hold(const std::string& domain) override { return pass(&Hypervisor::hold, domain); }
  Result<hypervisor::Fencing> fence(const std::string& domain) override { return pass(&Hypervisor::fence, domain); }
  bool isShutOut(const std::string& domain) override { return behind_->isShutOut(domain); }
  void whenChanged(std::function<void(const std::string&)> changed) override {
    behind_->whenChanged(std::move(changed));
  }

 private:
  template <class Answer, class... Declared, class... Given>
  Answer pass(Answer (Hypervisor::*call)(Declared...), Given&&... given) {
    if (auto refused = guard_(); !refused) return fail(std::move(refused).error());
    return (behind_.get()->*call)(std::forward<Given>(given)...);
  }

  const std::unique_ptr<Hypervisor> behind_;
  const Guard guard_;
};

}  // namespace godwit::sim
