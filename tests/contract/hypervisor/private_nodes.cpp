#include "contract/hypervisor/private_nodes.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "hypervisor/libvirt/reaping_init.hpp"

namespace godwit::hypervisor {

namespace {

constexpr int kStartTries = 100;

// The program that leads to runReapingInit lies beside this one.
std::string initProgram() { return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "private_node"; }

libvirt::House makeHouse(const std::string& directory, const std::string& warmCache) {
  SystemRandom random;
  return {.directory = directory, .hostUuid = uuid(random), .warmCache = warmCache};
}

}  // namespace

PrivateNode::PrivateNode(const std::string& directory, const std::string& warmCache)
    : house_(makeHouse(directory, warmCache)) {
  demand(libvirt::prepareHouse(house_));
  init_ =
      libvirt::startHouse({initProgram(), house_.directory, house_.hostUuid}, libvirt::Lifetime::WithParent).value();
}

PrivateNode::~PrivateNode() {
  kill(init_, SIGTERM);
  waitpid(init_, nullptr, 0);
}

libvirt::LibvirtConfig PrivateNode::config() const {
  // What the daemon keeps in memory is seen from inside only.
  return {.uri = uri(house_),
          .qemuPidDirectory = "/proc/" + std::to_string(init_) + "/root" + pidDirectory(house_),
          .processBesideDaemon = init_};
}

std::unique_ptr<Hypervisor> PrivateNode::connect(libvirt::EventLoop& loop) const {
  Mutex mutex;
  Signal never;
  for (int tries = 0; tries < kStartTries; ++tries) {
    libvirt::LibvirtConfig patient = config();
    patient.openPatience = std::chrono::seconds(30);
    auto hypervisor = libvirt::connect(loop, patient);
    if (hypervisor) return std::move(*hypervisor);
    // There is no socket to wait on yet.
    const Lock lock(mutex);
    never.waitFor(mutex, {}, std::chrono::milliseconds(100), [] { return false; });
  }
  throw std::runtime_error("the daemon of " + house_.directory + " does not start");
}

int PrivateNode::daemonPid() const {
  const std::string init = std::to_string(init_);
  std::ifstream children("/proc/" + init + "/task/" + init + "/children");
  for (int child = 0; children >> child;) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(child) + "/comm") >> std::ws, name);
    if (name == "libvirtd") return child;
  }
  return 0;
}

PrivateNodes::PrivateNodes()
    : loop(libvirt::EventLoop::start().value()),
      source(directory.file("a"), ""),
      // The second daemon starts once the first one knows what QEMU can do.
      target(directory.file("b"), (source.connect(*loop), cacheDirectory(source.house()))) {}

std::shared_ptr<PrivateNodes> startPrivateNodes(std::string& whyNot) {
  for (const char* program : {"/usr/sbin/libvirtd", "/usr/bin/qemu-system-x86_64"})
    if (access(program, X_OK) != 0) whyNot = std::string(program) + " is not installed";
  if (geteuid() != 0) whyNot = "namespaces need root";
  if (!whyNot.empty()) return nullptr;
  return std::make_shared<PrivateNodes>();
}

}  // namespace godwit::hypervisor
