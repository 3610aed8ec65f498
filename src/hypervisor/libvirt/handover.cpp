#include "hypervisor/libvirt/handover.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "hypervisor/libvirt/daemon_ping.hpp"
#include "hypervisor/libvirt/session.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

// The guest stands still meanwhile, and goes on at the source when this is over.
constexpr std::chrono::milliseconds kTargetAnswersWithin{2'000};
constexpr std::chrono::milliseconds kQuestionsEndWithin{1'000};
constexpr std::chrono::milliseconds kDiesWithin{500};
constexpr std::chrono::milliseconds kConfirmsWithin{250};

// The same daemon, be it the system's or a user's, behind another socket.
std::string through(const std::string& socket, const std::string& uri) {
  const std::string place = uri.substr(0, uri.find('?'));
  return fmt::format("qemu+unix://{}?socket={}", place.substr(place.rfind('/')), socket);
}

void waitUnlessStopped(const std::stop_token& stop, std::chrono::milliseconds patience) {
  Mutex mutex;
  Signal nobody;
  const Lock lock(mutex);
  nobody.waitFor(mutex, stop, patience, [] { return false; });
}

}  // namespace

bool Departing::isHandedOver() {
  const Lock lock(mutex_);
  return isAway();
}

bool Departing::beginQuestion() {
  const Lock lock(mutex_);
  if (isAway()) return false;
  ++questions_;
  return true;
}

void Departing::endQuestion() {
  const Lock lock(mutex_);
  --questions_;
  answered_.notifyAll();
}

// Whoever waited for an answer of a frozen QEMU could not be the one to thaw it.
Result<> Departing::handOver() {
  const Lock lock(mutex_);
  handedOver_ = true;
  const bool alone =
      answered_.waitFor(mutex_, {}, kQuestionsEndWithin, [&]() REQUIRES(mutex_) { return questions_ == 0; });
  auto frozen = alone ? process.freeze() : fail(Code::Timeout, "the source's daemon owes an answer about it");
  handedOver_ = frozen.has_value();
  return frozen;
}

// The daemon is told nothing, and leaves it to others what to make of that.
Result<> Departing::takeBack() {
  const Lock lock(mutex_);
  TRY(process.thaw());
  handedOver_ = false;
  gate_.reset();
  return {};
}

void Departing::keep(std::unique_ptr<Gate> gate) {
  const Lock lock(mutex_);
  gate_ = std::move(gate);
}

Handover::Handover(const LibvirtConfig& source, const MigrationOrder& order, std::shared_ptr<Departing> departing)
    : config_(source), order_(order), departing_(std::move(departing)) {}

Result<> Handover::run(const Migration& migration) {
  LibvirtConfig there = config_;
  there.uri = order_.targetUri;
  target_ = TRY(openConnection(there));
  sign_ = std::make_shared<SignOfLife>(target_);
  auto gate = TRY(Gate::open(socketOf(config_.uri), {.begins = [&] { putSieve(migration); },
                                                     .mayGoOn = [this] { return letGo(); },
                                                     .hasGoneOn = [this] { shutOut(); }}));
  const auto migrated = migrateThrough(*gate, migration);
  // It speaks to this object until then, but for one whose word is held back.
  if (departing_->isHandedOver()) departing_->keep(std::move(gate));
  return migrated;
}

Result<> Handover::migrateThrough(const Gate& gate, const Migration& migration) {
  const Connection source = TRY(openQuietly(through(gate.name(), config_.uri), config_));
  const Domain domain = TRY(findDomain(source, order_.domain));
  const auto asking = TRY(askWhenStopped(domain, sign_));
  return migration.run(*domain, *target_);
}

// Without it the disks are copied as well.
void Handover::putSieve(const Migration& migration) {
  auto sieve = migration.putSieve();
  if (sieve)
    sieve_ = std::move(*sieve);
  else
    log::warn("zeros are copied, too: {}", sieve.error().message);
}

// A target that is deaf already would keep the guest waiting for as long as it is. Nobody has told it to let the guest
// run, so the source may.
bool Handover::letGo() {
  const Result<> frozen = sign_->comesWithin(kTargetAnswersWithin) ? departing_->handOver()
                                                                   : fail(Code::Timeout, "the target does not answer");
  if (frozen) return true;
  log::warn("the guest is not handed over: {}", frozen.error().message);
  takingBack_ = std::jthread([this] { takeBack(); });
  return false;
}

// The daemon hears of it from the client, when it is gone. One that noticed it by itself would look for the process,
// and if it found it still there, look again a fifth of a second later, with everybody else waiting. But somebody may
// have asked that QEMU something, and keep the daemon from hearing the client until the line ends.
void Handover::shutOut() {
  Descriptor line = departing_->process.lineToDaemon();
  if (const auto killed = departing_->process.kill(); !killed) log::warn("{}", killed.error().message);
  (void)departing_->process.isGoneWithin(kDiesWithin);
  holdingLine_ =
      std::jthread([line = std::move(line)](const std::stop_token& stop) { waitUnlessStopped(stop, kConfirmsWithin); });
}

// The daemon obeys as soon as it has noticed that its client is gone.
void Handover::takeBack() {
  const Result<> resumed = openConnection(config_)
                               .and_then([&](const Connection& source) { return findDomain(source, order_.domain); })
                               .and_then([](const Domain& domain) -> Result<> {
                                 if (virDomainResume(domain.get()) < 0) return fail(lastError());
                                 return {};
                               });
  if (!resumed) log::warn("{}", resumed.error().message);
}

}  // namespace godwit::hypervisor::libvirt
