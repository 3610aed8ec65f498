#pragma once

#include <memory>
#include <thread>

#include "base/mutex.hpp"
#include "base/result.hpp"
#include "hypervisor/libvirt/gate.hpp"
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "hypervisor/libvirt/migration.hpp"
#include "hypervisor/libvirt/qemu_process.hpp"
#include "hypervisor/libvirt/sign_of_life.hpp"

namespace godwit::hypervisor::libvirt {

// A guest on its way, at its source.
class Departing {
 public:
  explicit Departing(QemuProcess held) : process(std::move(held)) {}

  // It is frozen, or about to be, and the target may have let the guest run: nobody is to ask its QEMU, or its daemon
  // about it.
  bool isHandedOver();
  // Whoever asks about it keeps it from being handed over until there is an answer, which a frozen QEMU would not give.
  // False when it is handed over.
  bool beginQuestion();
  void endQuestion();
  Result<> handOver();
  Result<> takeBack();
  // Held until it is known what becomes of the guest.
  void keep(std::unique_ptr<Gate> gate);

  QemuProcess process;

 private:
  bool isAway() REQUIRES(mutex_) { return handedOver_ && !process.isDeadWithin(std::chrono::milliseconds(0)); }

  Mutex mutex_;
  Signal answered_;
  int questions_ GUARDED_BY(mutex_) = 0;
  bool handedOver_ GUARDED_BY(mutex_) = false;
  std::unique_ptr<Gate> gate_ GUARDED_BY(mutex_);
};

// One migration, of which this process is the client. Its steps: when all of the guest has been sent, the source's copy
// is frozen - then the target is told to let it run, as soon as libvirt itself would - and when the target has said
// that it does, the source's copy is killed. A source that is frozen cannot be made to run by anybody who does not know
// what became of the target; it is thawed, or killed, by who has found out. See docs/decisions/0007.
class Handover {
 public:
  Handover(const LibvirtConfig& source, const MigrationOrder& order, std::shared_ptr<Departing> departing);

  // Returns when the client's part is over. An error proves nothing once the guest is handed over.
  Result<> run(const Migration& migration);

 private:
  Result<> migrateThrough(const Gate& gate, const Migration& migration);
  void putSieve(const Migration& migration);
  bool letGo();
  void shutOut();
  // Lets the guest go on at the source, which its daemon does not do by itself.
  void takeBack();

  const LibvirtConfig config_;
  const MigrationOrder& order_;
  const std::shared_ptr<Departing> departing_;
  Connection target_;
  std::shared_ptr<SignOfLife> sign_;
  std::unique_ptr<Sieve> sieve_;
  std::jthread holdingLine_;
  std::jthread takingBack_;
};

}  // namespace godwit::hypervisor::libvirt
