#include "guest/heartbeats.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/directory_watch.hpp"

namespace godwit::guest {

namespace {

namespace fs = std::filesystem;

// A console file and how much of it has been heard.
class Console {
 public:
  Console(std::string path, std::streamoff heard) : path_(std::move(path)), heard_(heard) {}

  void hear(std::ostream& out, std::int64_t now) {
    std::ifstream file(path_, std::ios::binary);
    file.seekg(heard_);
    std::array<char, 4096> piece;
    while (file.read(piece.data(), piece.size()), file.gcount() > 0) {
      heard_ += file.gcount();
      unfinished_.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    }
    for (auto end = unfinished_.find('\n'); end != std::string::npos; end = unfinished_.find('\n')) {
      out << now << ' ' << path_ << ' ' << unfinished_.substr(0, end) << '\n';
      unfinished_.erase(0, end + 1);
    }
  }

 private:
  std::string path_;
  std::streamoff heard_;
  std::string unfinished_;
};

class Watch {
 public:
  Watch(std::ostream& out, int inotify) : out_(out), inotify_(inotify) {}

  Result<> add(const std::string& directory) {
    const int number = inotify_add_watch(inotify_, directory.c_str(), IN_CREATE | IN_MODIFY | IN_MOVED_TO);
    if (number < 0) return fail(Code::NotFound, fmt::format("cannot watch {}: {}", directory, std::strerror(errno)));
    directories_[number] = directory;
    for (const auto& entry : fs::directory_iterator(directory))
      if (entry.is_regular_file()) follow(entry.path(), static_cast<std::streamoff>(entry.file_size()));
    return {};
  }

  void hear() {
    alignas(inotify_event) std::array<char, 16'384> events;
    const ssize_t size = read(inotify_, events.data(), events.size());
    const std::int64_t now = monotonicNs();
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(events.data() + at);
      if (event->len > 0) follow(directories_[event->wd] + "/" + event->name, 0).hear(out_, now);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
    out_.flush();
  }

 private:
  Console& follow(const std::string& path, std::streamoff heard) {
    return consoles_.try_emplace(path, path, heard).first->second;
  }

  std::ostream& out_;
  int inotify_;
  std::map<int, std::string> directories_;
  std::map<std::string, Console> consoles_;
};

// The first word of each line that was heard at `sinceNs` or later, with its time and whose it is.
template <class Visitor>
void eachWord(std::istream& lines, std::int64_t sinceNs, Visitor visitor) {
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::int64_t at = 0;
    std::string file, word;
    if (words >> at >> file >> word && at >= sinceNs) visitor(at, fs::path(file).stem().string(), word);
  }
}

// A descriptor that becomes readable when the process is asked to end.
int endRequests() {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  sigprocmask(SIG_BLOCK, &ending, nullptr);
  return signalfd(-1, &ending, SFD_CLOEXEC);
}

}  // namespace

Result<> watchConsoles(const std::string& outFile, const std::vector<std::string>& directories) {
  std::ofstream out(outFile, std::ios::app);
  if (!out) return fail(Code::Internal, fmt::format("cannot write {}", outFile));
  const int inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  Watch watch(out, inotify);
  for (const std::string& directory : directories) TRY(watch.add(directory));
  std::array<pollfd, 2> sources = {{{inotify, POLLIN, 0}, {endRequests(), POLLIN, 0}}};
  while (poll(sources.data(), sources.size(), -1) >= 0 && !sources[1].revents) watch.hear();
  watch.hear();
  return {};
}

std::int64_t monotonicNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Outage measureOutage(std::istream& lines, std::int64_t sinceNs) {
  Outage outage;
  std::map<std::string, std::int64_t> lastOf;  // by guest
  eachWord(lines, sinceNs, [&](std::int64_t at, const std::string& guest, const std::string& word) {
    if (word == "E") ++outage.errors;
    if (word != "H") return;
    ++outage.heartbeats;
    const auto [last, first] = lastOf.try_emplace(guest, at);
    if (!first) outage.longestGapNs = std::max(outage.longestGapNs, at - last->second);
    last->second = at;
  });
  return outage;
}

std::map<std::string, std::int64_t> firstHeartbeats(std::istream& lines, std::int64_t sinceNs) {
  std::map<std::string, std::int64_t> firstOf;
  eachWord(lines, 0, [&](std::int64_t at, const std::string& guest, const std::string& word) {
    if (word == "H") firstOf.try_emplace(guest, at);
  });
  std::erase_if(firstOf, [&](const auto& first) { return first.second < sinceNs; });
  return firstOf;
}

Result<std::map<std::string, std::int64_t>> awaitFirstHeartbeats(const std::string& file, std::int64_t sinceNs,
                                                                 std::size_t guests) {
  auto changes = TRY(DirectoryWatch::open());
  TRY(changes.add(fs::path(file).parent_path()));
  for (;;) {
    std::ifstream lines(file);
    auto heard = firstHeartbeats(lines, sinceNs);
    if (heard.size() >= guests) return heard;
    pollfd source = {changes.descriptor(), POLLIN, 0};
    poll(&source, 1, -1);
    changes.take();
  }
}

}  // namespace godwit::guest
