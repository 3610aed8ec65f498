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

// No guest has that much to say in a line; what is beyond is noise, and left out.
constexpr std::size_t kLongestLine = 4096;

// Guests are told apart by it, for it is the same wherever they run.
std::string guestOf(const std::string& consoleFile) { return fs::path(consoleFile).stem().string(); }

// A file that grows, and how much of it has been read. Every byte is looked at once, however long its lines are.
class GrowingFile {
 public:
  GrowingFile(std::string path, std::streamoff read) : path_(std::move(path)), read_(read) {}

  const std::string& path() const { return path_; }

  // Shows the lines that have been finished since.
  void readOn(Transcript& transcript, const std::function<void(const std::string&)>& show) {
    std::ifstream file(path_, std::ios::binary);
    file.seekg(read_);
    std::array<char, 4096> piece;
    while (file.read(piece.data(), piece.size()), file.gcount() > 0) {
      read_ += file.gcount();
      transcript.hear(path_, {piece.data(), static_cast<std::size_t>(file.gcount())}, show);
    }
  }

 private:
  std::string path_;
  std::streamoff read_;
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
      if (event->len > 0) writeDown(follow(directories_[event->wd] + "/" + event->name, 0), now);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
    out_.flush();
  }

 private:
  GrowingFile& follow(const std::string& path, std::streamoff heard) {
    return consoles_.try_emplace(path, path, heard).first->second;
  }

  void writeDown(GrowingFile& console, std::int64_t now) {
    console.readOn(transcript_,
                   [&](const std::string& line) { out_ << now << ' ' << console.path() << ' ' << line << '\n'; });
  }

  std::ostream& out_;
  int inotify_;
  std::map<int, std::string> directories_;
  std::map<std::string, GrowingFile> consoles_;
  Transcript transcript_;
};

// The first word of a line, with its time and whose it is.
template <class Visitor>
void withFirstWord(const std::string& line, Visitor visitor) {
  std::istringstream words(line);
  std::int64_t at = 0;
  std::string file, word;
  if (words >> at >> file >> word) visitor(at, guestOf(file), word);
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

void Transcript::hear(const std::string& consoleFile, std::string_view piece,
                      const std::function<void(const std::string&)>& show) {
  std::string& unfinished = unfinished_[guestOf(consoleFile)];
  const auto append = [&](std::string_view part) {
    unfinished.append(part.substr(0, kLongestLine - unfinished.size()));
  };
  for (auto end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
    append(piece.substr(0, end));
    show(unfinished);
    unfinished.clear();
    piece.remove_prefix(end + 1);
  }
  append(piece);
}

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
  const auto note = [&](std::int64_t at, const std::string& guest, const std::string& word) {
    if (at < sinceNs) return;
    if (word == "E") ++outage.errors;
    if (word != "H") return;
    ++outage.heartbeats;
    const auto [last, first] = lastOf.try_emplace(guest, at);
    if (!first) outage.gapsNs.push_back(at - last->second);
    last->second = at;
  };
  for (std::string line; std::getline(lines, line);) withFirstWord(line, note);
  std::sort(outage.gapsNs.begin(), outage.gapsNs.end());
  return outage;
}

Result<std::map<std::string, std::int64_t>> awaitFirstHeartbeats(const std::string& file, std::int64_t sinceNs,
                                                                 std::size_t guests) {
  auto changes = TRY(DirectoryWatch::open());
  TRY(changes.add(fs::path(file).parent_path()));
  GrowingFile watched(file, 0);
  Transcript transcript;
  std::map<std::string, std::int64_t> firstOf;
  const auto note = [&](std::int64_t at, const std::string& guest, const std::string& word) {
    if (word == "H") firstOf.try_emplace(guest, at);
  };
  for (;;) {
    watched.readOn(transcript, [&](const std::string& line) { withFirstWord(line, note); });
    auto heard = firstOf;
    std::erase_if(heard, [&](const auto& first) { return first.second < sinceNs; });
    if (heard.size() >= guests) return heard;
    pollfd source = {changes.descriptor(), POLLIN, 0};
    poll(&source, 1, -1);
    changes.take();
  }
}

}  // namespace godwit::guest
