#include "hypervisor/libvirt/private_daemon.hpp"

#include <sys/mount.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/process.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

namespace fs = std::filesystem;

struct Room {
  const char* inside;   // below the house
  const char* outside;  // where libvirt looks
};

constexpr Room kRun = {"run/libvirt", "/run/libvirt"};
constexpr Room kCache = {"cache/libvirt", "/var/cache/libvirt"};
constexpr Room kConfiguration = {"etc/libvirt", "/etc/libvirt"};
constexpr Room kRooms[] = {
    kRun, kCache, kConfiguration, {"lib/libvirt", "/var/lib/libvirt"}, {"log/libvirt", "/var/log/libvirt"}};

// A daemon that is told of new certificates looks for them here, wherever its configuration says they are.
constexpr const char* kPki = "/etc/pki";

// Other drivers would reach for the machine's networks and devices.
constexpr const char* kDrivers[] = {"qemu", "secret", "storage"};

// Below the house.
constexpr const char* kLog = "log/libvirt/libvirtd.log";
constexpr const char* kPidFile = "run/libvirt/libvirtd.pid";

// The longest socket name that a client outside may want; and what an ordinary user's daemon calls a monitor.
constexpr const char* kLongestSocket = "run/libvirt/libvirt-admin-sock";
constexpr const char* kLongestMonitor = "etc/libvirt/qemu/lib/domain-9999-twenty-characters---/monitor.sock";

// Processes and files are root's, and the daemon keeps to what is its own: no control groups, for two
// daemons would collide on their names; no log daemon, for there is none. On one machine migrations travel over
// unix sockets; the address keeps libvirt from listening on every interface should one ever not.
constexpr const char* kRootsQemu = R"(user = "root"
group = "root"
)";
constexpr const char* kQemuConf = R"(dynamic_ownership = 0
remember_owner = 0
security_driver = "none"
cgroup_controllers = []
namespaces = []
stdio_handler = "file"
seccomp_sandbox = 0
migration_address = "{address}"
migration_host = "{address}"
keepalive_interval = 2
keepalive_count = {patience}
max_processes = 0
)";
constexpr const char* kQemuTlsConf = R"(migrate_tls_x509_cert_dir = "{certificates}"
migrate_tls_x509_verify = 1
)";
constexpr const char* kNobodysAddress = "127.0.1.1";
// How many times in a row the daemon of another node may be silent for two seconds. Over a network that can be cut this
// is how long nothing is known; on one machine a daemon that is silent is only busy.
constexpr int kPatienceOnNetwork = 3;
constexpr int kPatienceOnMachine = 5;

// With the default number of workers the daemon goes deaf at six migrations at a time.
constexpr const char* kLibvirtdConf = R"(listen_tcp = 0
auth_unix_rw = "none"
auth_unix_ro = "none"
unix_sock_rw_perms = "0700"
host_uuid = "{uuid}"
log_filters = "3:*"
log_outputs = "3:file:{log}"
ovs_timeout = 1
min_workers = 32
max_workers = 64
max_client_requests = 32
)";
constexpr const char* kDeafConf = "listen_tls = 0\n";
constexpr const char* kListeningConf = R"(listen_tls = 1
listen_addr = "{address}"
tls_port = "{port}"
auth_tls = "none"
tls_allowed_dn_list = ["*O=system:nodes*"]
keepalive_interval = 2
keepalive_count = 5
)";

std::string qemuConf(const House& house) {
  const auto& doorstep = house.doorstep;
  std::string conf = house.rootless ? "" : kRootsQemu;
  conf += fmt::format(fmt::runtime(kQemuConf), fmt::arg("address", doorstep ? doorstep->address : kNobodysAddress),
                      fmt::arg("patience", doorstep ? kPatienceOnNetwork : kPatienceOnMachine));
  if (doorstep) conf += fmt::format(fmt::runtime(kQemuTlsConf), fmt::arg("certificates", doorstep->certificates));
  return conf;
}

std::string libvirtdConf(const House& house, const std::string& log) {
  const std::string conf =
      fmt::format(fmt::runtime(kLibvirtdConf), fmt::arg("uuid", house.hostUuid), fmt::arg("log", log));
  if (!house.doorstep) return conf + kDeafConf;
  return conf + fmt::format(fmt::runtime(kListeningConf), fmt::arg("address", house.doorstep->address),
                            fmt::arg("port", house.doorstep->port));
}

std::string within(const House& house, const std::string& path) { return house.directory + "/" + path; }

Failure failWithErrno(const std::string& what) {
  return fail(Code::Internal, fmt::format("{}: {}", what, std::strerror(errno)));
}

Result<> write(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::trunc);
  file << content;
  file.close();
  if (!file) return fail(Code::Internal, fmt::format("cannot write {}", path));
  return {};
}

void linkDrivers(const House& house) {
  fs::create_directories(within(house, "drivers"));
  for (const char* driver : kDrivers) {
    const std::string name = fmt::format("libvirt_driver_{}.so", driver);
    const std::string link = within(house, "drivers/" + name);
    fs::remove(link);
    fs::create_symlink(house.driverDirectory + "/" + name, link);
  }
}

// Where a daemon notes what QEMU can do, in its cache.
std::string capabilitiesIn(const std::string& cache, bool rootless) {
  return cache + (rootless ? "/qemu/cache/capabilities" : "/qemu/capabilities");
}

void borrowCapabilities(const House& house) {
  const std::string known = capabilitiesIn(house.warmCache, house.rootless);
  if (house.warmCache.empty() || !fs::is_directory(known)) return;
  const std::string own = capabilitiesIn(cacheDirectory(house), house.rootless);
  fs::create_directories(own);
  if (fs::equivalent(known, own)) return;
  fs::copy(known, own, fs::copy_options::recursive | fs::copy_options::skip_existing);
}

Result<> mountOver(const std::string& source, const char* target) {
  fs::create_directories(target);
  if (mount(source.c_str(), target, nullptr, MS_BIND | MS_REC, nullptr) < 0)
    return failWithErrno(fmt::format("cannot mount {} on {}", source, target));
  return {};
}

// What a daemon notes of its guests ends with them, and is written several times while one stands still for its
// switch-over. As on every host it is kept in memory, where nobody waits for a disk.
Result<> keepInMemory(const std::string& directory) {
  fs::create_directories(directory);
  if (mount("tmpfs", directory.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") < 0)
    return failWithErrno(fmt::format("cannot keep {} in memory", directory));
  return {};
}

// The standard library's file functions say what failed by throwing.
template <class Work>
Result<> reportingFailure(Work work) {
  try {
    return work();
  } catch (const fs::filesystem_error& error) {
    return fail(Code::Internal, error.what());
  }
}

}  // namespace

std::string socketPath(const House& house) { return within(house, std::string(kRun.inside) + "/libvirt-sock"); }
std::string pidDirectory(const House& house) {
  return within(house, std::string(kRun.inside) + (house.rootless ? "/qemu/run" : "/qemu"));
}
std::string cacheDirectory(const House& house) { return within(house, kCache.inside); }
std::string uri(const House& house) {
  return fmt::format("qemu+unix:///{}?socket={}", house.rootless ? "session" : "system", socketPath(house));
}
std::string uri(const Doorstep& doorstep) {
  return fmt::format("qemu+tls://{}:{}/system", doorstep.address, doorstep.port);
}

Result<> prepareHouse(const House& house) {
  if (!fs::path(house.directory).is_absolute())
    return fail(Code::Invalid, fmt::format("the directory {} is not absolute", house.directory));
  const std::string longest = within(house, house.rootless ? kLongestMonitor : kLongestSocket);
  if (longest.size() >= sizeof sockaddr_un::sun_path)
    return fail(Code::Invalid, fmt::format("the directory {} is {} bytes too long for the sockets in it",
                                           house.directory, longest.size() - sizeof sockaddr_un::sun_path + 1));
  return reportingFailure([&]() -> Result<> {
    for (const Room& room : kRooms) fs::create_directories(within(house, room.inside));
    linkDrivers(house);
    borrowCapabilities(house);
    const std::string configuration = within(house, kConfiguration.inside);
    TRY(write(configuration + "/qemu.conf", qemuConf(house)));
    return write(configuration + "/libvirtd.conf", libvirtdConf(house, within(house, kLog)));
  });
}

Result<> enterHouse(const House& house) {
  return reportingFailure([&]() -> Result<> {
    for (const auto& left : fs::directory_iterator(within(house, kRun.inside))) fs::remove_all(left);
    if (house.rootless) return {};
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) < 0)
      return failWithErrno("cannot make mounts private");
    if (mount("proc", "/proc", "proc", 0, nullptr) < 0) return failWithErrno("cannot mount /proc");
    TRY(keepInMemory(pidDirectory(house)));
    for (const Room& room : kRooms) TRY(mountOver(within(house, room.inside), room.outside));
    return house.doorstep ? mountOver(house.doorstep->certificates, kPki) : Result<>{};
  });
}

Result<> rereadCertificates(const House& house) {
  const std::string admin = "libvirtd:///system?socket=" + within(house, kLongestSocket);
  auto asked = TRY(Process::start({.argv = {"/usr/bin/virt-admin", "-q", "-c", admin, "server-update-tls", "libvirtd"},
                                   .outputFile = "/dev/null"}));
  if (TRY(asked.wait()) == Exit{}) return {};
  return fail(Code::Unavailable, fmt::format("the daemon in {} does not take new certificates", house.directory));
}

std::vector<std::string> daemonCommand(const House& house) {
  std::vector<std::string> command = {"/usr/sbin/libvirtd", "--pid-file", within(house, kPidFile)};
  if (house.doorstep) command.push_back("--listen");
  return command;
}

std::vector<std::string> daemonEnvironment(const House& house) {
  std::vector<std::string> environment = {"LIBVIRT_DRIVER_DIR=" + within(house, "drivers")};
  if (!house.rootless) return environment;
  constexpr std::pair<const char*, const char*> kPlaces[] = {{"HOME", ""},
                                                             {"XDG_RUNTIME_DIR", "run"},
                                                             {"XDG_CACHE_HOME", "cache"},
                                                             {"XDG_CONFIG_HOME", "etc"},
                                                             {"XDG_DATA_HOME", "lib"}};
  for (const auto& [name, place] : kPlaces) environment.push_back(fmt::format("{}={}", name, within(house, place)));
  return environment;
}

}  // namespace godwit::hypervisor::libvirt
