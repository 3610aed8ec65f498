// Preloaded into godwit and what it starts: the next mover, or libvirt daemon, dies as it is about to do something for
// the nth time, or just after. Who, what and when is said by the file dies-at in the directory of that Godwit: "mover
// fdatasync before 2"; "mover fdatasync before 2 waits" makes it stop there until somebody lets it go on. The calls of
// a daemon are the commands it gives to QEMU, and are counted from when it is asked. Whoever acts on it removes it
// first.
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>
#include <string_view>

namespace {

struct Order {
  std::string who, call, moment, how;
  int count = 0;
};

// Of "godwit mover --directory DIR/nodes/NODE/moves/UID", or "--source" and a URI with "socket=DIR/nodes/NODE/..." in
// it, and "libvirtd --pid-file DIR/nodes/NODE/host/run/libvirt/PID".
struct Self {
  std::string name;  // empty in any other process
  std::string orders;
};

Self readSelf() {
  std::ifstream file("/proc/self/cmdline");
  std::string program, verb, option, path;
  for (std::string* const word : {&program, &verb, &option}) std::getline(file, *word, '\0');
  std::getline(file, path, '\0');
  if (option == "--source") path.erase(0, path.find('=') + 1);
  if (verb == "mover") return {"mover", path.substr(0, path.find("/nodes/")) + "/dies-at"};
  if (program.ends_with("/libvirtd"))
    return {"libvirtd", option.substr(0, option.rfind('/')) + "/../../../../../dies-at"};
  return {};
}

const Self& self() {
  static const Self known = readSelf();
  return known;
}

Order readOrder() {
  Order order;
  std::ifstream(self().orders) >> order.who >> order.call >> order.moment >> order.count >> order.how;
  return order;
}

void stopIfAsked(std::string_view call, std::string_view moment, int count) {
  if (self().name.empty()) return;
  const Order order = readOrder();
  if (order.who != self().name || order.call != call || order.moment != moment || order.count != count) return;
  if (unlink(self().orders.c_str()) == 0) raise(order.how == "waits" ? SIGSTOP : SIGKILL);
}

template <class Function, class... Arguments>
auto around(const char* function, std::string_view call, int count, Arguments... arguments) {
  stopIfAsked(call, "before", count);
  const auto outcome = reinterpret_cast<Function>(dlsym(RTLD_NEXT, function))(arguments...);
  stopIfAsked(call, "after", count);
  return outcome;
}

std::atomic<int> records = 0;
std::atomic<int> signals = 0;
std::atomic<int> mirrors = 0;
std::atomic<int> pivots = 0;

// How often QEMU was told to do what the order names, if this is that; else 0.
int countCommand(std::string_view text, std::string& command) {
  static std::atomic<int> commands = 0;
  const Order order = readOrder();
  if (order.who != "libvirtd") commands = 0;
  if (order.who != "libvirtd" || text.find("\"execute\":\"" + order.call + "\"") == text.npos) return 0;
  command = order.call;
  return ++commands;
}

}  // namespace

extern "C" int fdatasync(int file) { return around<int (*)(int)>("fdatasync", "fdatasync", ++records, file); }

extern "C" int pidfd_send_signal(int process, int signal, siginfo_t* information, unsigned flags) {
  return around<int (*)(int, int, siginfo_t*, unsigned)>("pidfd_send_signal", "pidfd_send_signal", ++signals, process,
                                                         signal, information, flags);
}

extern "C" int virDomainBlockCopy(void* domain, const char* disk, const char* destination, void* parameters, int count,
                                  unsigned flags) {
  return around<int (*)(void*, const char*, const char*, void*, int, unsigned)>(
      "virDomainBlockCopy", "copy", ++mirrors, domain, disk, destination, parameters, count, flags);
}

extern "C" int virDomainBlockJobAbort(void* domain, const char* disk, unsigned flags) {
  return around<int (*)(void*, const char*, unsigned)>("virDomainBlockJobAbort", "pivot", ++pivots, domain, disk,
                                                       flags);
}

extern "C" ssize_t write(int file, const void* data, size_t size) {
  using Write = ssize_t (*)(int, const void*, size_t);
  const std::string_view text(static_cast<const char*>(data), size);
  std::string command;
  const int count = self().name == "libvirtd" && text.starts_with("{\"execute\"") ? countCommand(text, command) : 0;
  return around<Write>("write", command, count, file, data, size);
}
