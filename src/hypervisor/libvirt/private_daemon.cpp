#include "hypervisor/libvirt/private_daemon.hpp"

#include <sys/mount.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

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

// Other drivers would reach for the machine's networks and devices.
constexpr const char* kDrivers[] = {"qemu", "secret", "storage"};

// The longest socket name that a client outside may want.
constexpr const char* kLongestSocket = "libvirt-admin-sock";

// Processes and files are root's, and the daemon keeps to what is its own: no control groups, for two
// daemons would collide on their names; no log daemon, for there is none. Migrations travel over unix
// sockets; the addresses keep libvirt from listening on every interface should one ever not.
constexpr const char* kQemuConf = R"(user = "root"
group = "root"
dynamic_ownership = 0
remember_owner = 0
security_driver = "none"
cgroup_controllers = []
namespaces = []
stdio_handler = "file"
seccomp_sandbox = 0
migration_address = "127.0.1.1"
migration_host = "127.0.1.1"
keepalive_interval = 5
keepalive_count = 5
max_processes = 0
)";

// With the default number of workers the daemon goes deaf at six migrations at a time.
constexpr const char* kLibvirtdConf = R"(listen_tls = 0
listen_tcp = 0
auth_unix_rw = "none"
auth_unix_ro = "none"
unix_sock_group = "root"
unix_sock_rw_perms = "0700"
host_uuid = "{}"
log_filters = "3:*"
log_outputs = "3:file:/var/log/libvirt/libvirtd.log"
ovs_timeout = 1
min_workers = 32
max_workers = 64
max_client_requests = 32
)";

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

void borrowCapabilities(const House& house) {
  const std::string known = house.warmCache + "/qemu/capabilities";
  if (house.warmCache.empty() || !fs::is_directory(known)) return;
  const std::string own = cacheDirectory(house) + "/qemu/capabilities";
  fs::create_directories(own);
  if (fs::equivalent(known, own)) return;
  fs::copy(known, own, fs::copy_options::recursive | fs::copy_options::skip_existing);
}

Result<> mountOver(const std::string& source, const char* target) {
  fs::create_directories(target);
  if (mount(source.c_str(), target, nullptr, MS_BIND, nullptr) < 0)
    return failWithErrno(fmt::format("cannot mount {} on {}", source, target));
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
std::string pidDirectory(const House& house) { return within(house, std::string(kRun.inside) + "/qemu"); }
std::string cacheDirectory(const House& house) { return within(house, kCache.inside); }
std::string uri(const House& house) { return "qemu+unix:///system?socket=" + socketPath(house); }

Result<> prepareHouse(const House& house) {
  if (!fs::path(house.directory).is_absolute())
    return fail(Code::Invalid, fmt::format("the directory {} is not absolute", house.directory));
  const std::string longest = fmt::format("{}/{}/{}", house.directory, kRun.inside, kLongestSocket);
  if (longest.size() >= sizeof sockaddr_un::sun_path)
    return fail(Code::Invalid, fmt::format("the directory {} is {} bytes too long for the sockets in it",
                                           house.directory, longest.size() - sizeof sockaddr_un::sun_path + 1));
  return reportingFailure([&]() -> Result<> {
    for (const Room& room : kRooms) fs::create_directories(within(house, room.inside));
    linkDrivers(house);
    borrowCapabilities(house);
    const std::string configuration = within(house, kConfiguration.inside);
    TRY(write(configuration + "/qemu.conf", kQemuConf));
    return write(configuration + "/libvirtd.conf", fmt::format(fmt::runtime(kLibvirtdConf), house.hostUuid));
  });
}

Result<> enterHouse(const House& house) {
  return reportingFailure([&]() -> Result<> {
    for (const auto& left : fs::directory_iterator(within(house, kRun.inside))) fs::remove_all(left);
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) < 0)
      return failWithErrno("cannot make mounts private");
    if (mount("proc", "/proc", "proc", 0, nullptr) < 0) return failWithErrno("cannot mount /proc");
    for (const Room& room : kRooms) TRY(mountOver(within(house, room.inside), room.outside));
    return {};
  });
}

std::vector<std::string> daemonCommand() {
  return {"/usr/sbin/libvirtd", "--pid-file", std::string(kRun.outside) + "/libvirtd.pid"};
}

std::vector<std::string> daemonEnvironment(const House& house) {
  return {"LIBVIRT_DRIVER_DIR=" + within(house, "drivers")};
}

}  // namespace godwit::hypervisor::libvirt
