#include "metrics/process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace godwit::metrics {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpuSeconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double openFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/self/fd", error);
  return static_cast<double>(std::distance(begin(open), end(open)));
}

double mostFiles() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

void addProcess(Families& families, Timestamp started) {
  long pages = 0, residentPages = 0;
  std::ifstream("/proc/self/statm") >> pages >> residentPages;
  const auto bytes = [](long count) { return static_cast<double>(count) * static_cast<double>(sysconf(_SC_PAGESIZE)); };
  const std::chrono::duration<double> since = started.time_since_epoch();
  add(families, {"process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", MetricType::Counter},
      cpuSeconds());
  add(families, {"process_resident_memory_bytes", "Resident memory size in bytes."}, bytes(residentPages));
  add(families, {"process_virtual_memory_bytes", "Virtual memory size in bytes."}, bytes(pages));
  add(families, {"process_open_fds", "Number of open file descriptors."}, openFiles());
  add(families, {"process_max_fds", "Maximum number of open file descriptors."}, mostFiles());
  add(families, {"process_start_time_seconds", "Start time of the process since unix epoch in seconds."},
      since.count());
}

}  // namespace godwit::metrics
