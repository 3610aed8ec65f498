// Preloaded into godwit: the next mover dies as it is about to do something for the nth time, or just after. What and
// when is said by the file mover-dies in the directory of that Godwit: "fdatasync before 2"; "fdatasync before 2 waits"
// makes it stop there until somebody lets it go on. Whoever acts on it removes it first.
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>

namespace {

// DIR/mover-dies in "godwit mover --directory DIR/nodes/NODE/moves/UID"; nothing in any other process.
std::string orderFile() {
  std::ifstream file("/proc/self/cmdline");
  std::string program, verb, option, directory;
  for (std::string* const word : {&program, &verb, &option, &directory}) std::getline(file, *word, '\0');
  return verb == "mover" ? directory + "/../../../../mover-dies" : "";
}

void stopIfAsked(const std::string& call, const std::string& moment, int count) {
  static const std::string path = orderFile();
  if (path.empty()) return;
  std::string wantedCall, wantedMoment, how;
  int wantedCount = 0;
  std::ifstream(path) >> wantedCall >> wantedMoment >> wantedCount >> how;
  if (call != wantedCall || moment != wantedMoment || count != wantedCount) return;
  if (unlink(path.c_str()) == 0) raise(how == "waits" ? SIGSTOP : SIGKILL);
}

template <class Function, class... Arguments>
int around(const char* call, std::atomic<int>& calls, Arguments... arguments) {
  const int count = ++calls;
  stopIfAsked(call, "before", count);
  const int outcome = reinterpret_cast<Function>(dlsym(RTLD_NEXT, call))(arguments...);
  stopIfAsked(call, "after", count);
  return outcome;
}

std::atomic<int> records = 0;
std::atomic<int> signals = 0;
std::atomic<int> mirrors = 0;
std::atomic<int> pivots = 0;

}  // namespace

extern "C" int fdatasync(int file) { return around<int (*)(int)>("fdatasync", records, file); }

extern "C" int pidfd_send_signal(int process, int signal, siginfo_t* information, unsigned flags) {
  return around<int (*)(int, int, siginfo_t*, unsigned)>("pidfd_send_signal", signals, process, signal, information,
                                                         flags);
}

extern "C" int virDomainBlockCopy(void* domain, const char* disk, const char* destination, void* parameters, int count,
                                  unsigned flags) {
  return around<int (*)(void*, const char*, const char*, void*, int, unsigned)>(
      "virDomainBlockCopy", mirrors, domain, disk, destination, parameters, count, flags);
}

extern "C" int virDomainBlockJobAbort(void* domain, const char* disk, unsigned flags) {
  return around<int (*)(void*, const char*, unsigned)>("virDomainBlockJobAbort", pivots, domain, disk, flags);
}
