#include "bin/houses.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "base/files.hpp"
#include "base/log.hpp"
#include "bin/host_certificate.hpp"
#include "bin/node_service.hpp"
#include "bin/supervisor.hpp"
#include "hypervisor/libvirt/reaping_init.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

namespace fs = std::filesystem;
namespace libvirt = hypervisor::libvirt;

constexpr Duration kTellAgainAfter = 1s;
constexpr int kLooksInALife = 12;  // of a certificate; the last third is for its renewal

}  // namespace

Result<std::unique_ptr<Houses>> Houses::open(HousesConfig config) {
  auto watch = TRY(DirectoryWatch::open());
  TRY(watch.add(config.layout.run()));
  std::unique_ptr<Houses> houses(new Houses(std::move(config), std::move(watch)));
  houses->lookout_ = TRY(Lookout::start());
  TRY(houses->lookout_->watch(houses->watch_.descriptor(), [all = houses.get()] {
    (void)all->watch_.take();
    all->bell_.ring();
  }));
  return houses;
}

Result<> Houses::start(const std::string& name) {
  if (Descriptor alive = holdProcess(layout_.pidFile(name), "node-init")) {
    if (const Lock lock(mutex_); !config_.wiring.empty()) untold_.insert(name);
    return watch(name, std::move(alive));
  }
  TRY(returnToService(layout_, name));
  const pid_t pid = TRY(build(name));
  TRY(replaceFile(layout_.pidFile(name), std::to_string(pid)));
  // A request from before is granted by this, and not sooner: what failed is tried again.
  fs::remove(layout_.startRequest(name));
  return watch(name, holdProcess(pid));
}

Result<pid_t> Houses::build(const std::string& name) {
  std::vector<std::string> command = {config_.program, "node-init", "--directory", layout_.root, "--name", name};
  if (config_.wiring.empty()) return libvirt::startHouse(command, libvirt::Lifetime::OnItsOwn);
  for (const std::string& address : config_.wiring.addressesOf(name))
    command.insert(command.end(), {"--address", address});
  TRY(renewCertificate(name));
  const pid_t pid = TRY(libvirt::startHouse(command, libvirt::Lifetime::OnItsOwn, libvirt::Network::Own));
  TRY(config_.wiring.connect(name, pid));
  return pid;
}

Result<> Houses::renewCertificate(const std::string& name) {
  HostCertificate host{
      .node = name, .addresses = {}, .directory = layout_.certificates(name), .validFor = config_.certificateLife};
  for (const std::string& address : config_.wiring.addressesOf(name))
    host.addresses.push_back(address.substr(0, address.find('/')));
  if (!TRY(keepCertificate(host, TRY(authorityOf(layout_.server())), clock_.now()))) return {};
  log::info("{} has a new certificate", name);
  const Lock lock(mutex_);
  untold_.insert(name);
  return {};
}

// QEMU reads them for every migration; the daemon has to be told.
Result<> Houses::renewCertificates() {
  std::set<std::string> living;
  std::set<std::string> untold;
  {
    const Lock lock(mutex_);
    for (const auto& [name, process] : living_) living.insert(name);
  }
  for (const std::string& name : living) TRY(renewCertificate(name));
  {
    const Lock lock(mutex_);
    untold = untold_;
  }
  for (const std::string& name : untold) {
    if (living.contains(name)) TRY(libvirt::rereadCertificates(layout_.house(name)));
    const Lock lock(mutex_);
    untold_.erase(name);
  }
  return {};
}

Result<> Houses::watch(const std::string& name, Descriptor process) {
  const int descriptor = process.number();
  {
    const Lock lock(mutex_);
    if (living_.contains(name)) return {};
    dead_.erase(name);
    living_.emplace(name, std::move(process));
  }
  return lookout_->watch(descriptor, [this, name] { noteDeath(name); });
}

void Houses::noteDeath(const std::string& name) {
  {
    const Lock lock(mutex_);
    const auto process = living_.find(name);
    lookout_->forget(process->second.number());
    siginfo_t status = {};
    // Where it was a child of this process.
    ::waitid(P_PIDFD, static_cast<id_t>(process->second.number()), &status, WEXITED | WNOHANG);
    living_.erase(process);
    dead_[name] = false;
  }
  bell_.ring();
}

void Houses::keep(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const auto settled = settle();
    if (!settled) log::warn("{}", settled.error().message);
    if (settled && config_.wiring.empty())
      bell_.wait(stop);
    else
      bell_.waitFor(settled ? config_.certificateLife / kLooksInALife : kTellAgainAfter, stop);
  }
}

Result<> Houses::settle() {
  for (const auto& [name, told] : dead()) {
    if (fs::exists(layout_.startRequest(name))) {
      TRY(start(name));
      continue;
    }
    if (told) continue;
    TRY(putOutOfService(layout_, name));
    log::warn("{0} is dead, and so are its guests; `godwit node start {0}` starts it again", name);
    const Lock lock(mutex_);
    dead_[name] = true;
  }
  return config_.wiring.empty() ? Result<>{} : renewCertificates();
}

std::map<std::string, bool> Houses::dead() {
  const Lock lock(mutex_);
  return dead_;
}

}  // namespace godwit::bin
