#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/fence.hpp"
#include "hypervisor/libvirt/handover.hpp"
#include "hypervisor/libvirt/qemu_process.hpp"
#include "hypervisor/libvirt/session.hpp"

namespace godwit::hypervisor::libvirt {

// What is done to guests past their daemon, whose processes they are.
class ProcessControl {
 public:
  ProcessControl(const LibvirtConfig& config, Session& session) : config_(config), session_(session) {}

  // The guest's process, for a migration; NotFound when it has ended.
  Result<std::shared_ptr<Departing>> departing(const std::string& domain);
  // Since its migration began.
  void keep(const std::string& domain, std::shared_ptr<Departing> departing);

  bool isHandedOver(const std::string& domain);
  // A guest of this process is not handed over while what this returns is held. Nothing when it is already.
  std::optional<std::shared_ptr<void>> ask(const std::string& domain);
  bool isShutOut(const std::string& domain);
  Result<Fencing> fence(const std::string& domain);
  // What was shut out is so no longer: its daemon hears again.
  Result<> letBack(const std::string& domain);

 private:
  Result<std::optional<QemuProcess>> find(const std::string& domain) const;
  Result<Fencing> fenceDead(const std::string& domain);
  std::shared_ptr<Departing> departingOf(const std::string& domain);

  const LibvirtConfig& config_;
  Session& session_;
  Fence fence_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Departing>> departing_ GUARDED_BY(mutex_);
};

}  // namespace godwit::hypervisor::libvirt
