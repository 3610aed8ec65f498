#include "node/errands.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/failed_to.hpp"
#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/log.hpp"

namespace godwit::node {
namespace {

using namespace std::chrono_literals;

namespace fs = std::filesystem;

// A guest may stand still while its mover is dead, so the first to die is replaced without a pause.
constexpr int kStartsAtOnce = 2;
constexpr auto kRestartPause = 1s;
// To load a program takes both cores of a small machine, which has other things to do when an errand ends.
constexpr timespec kRefillAfter{.tv_sec = 0, .tv_nsec = 100'000'000};
constexpr std::size_t kLongestName = 200;

bool isLetterOrDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A UID, or what else can be the name of a directory and leads nowhere else.
bool isName(std::string_view text) {
  const auto allowed = [](char c) {
    return isLetterOrDigit(c) || std::string_view("-._~%").find(c) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= kLongestName && isLetterOrDigit(text.front()) &&
         std::all_of(text.begin(), text.end(), allowed);
}

Result<> makeDirectory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot make {}: {}", path, error.message()));
  return {};
}

bool isNews(const Papers& papers, const DirectoryWatch::Change& change) {
  const std::string path = change.directory + "/" + change.file;
  return change.file.empty() || path == papers.lock() || path == papers.journal() || path == papers.report();
}

}  // namespace

Result<std::unique_ptr<Errands>> Errands::open(Config config, const Clock& clock) {
  TRY(makeDirectory(config.directory));
  TRY(syncDirectory(fs::path(config.directory).parent_path()));
  auto watch = TRY(DirectoryWatch::open());
  Descriptor timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!timer) return failedTo("make", "a timer");
  std::unique_ptr<Errands> errands(new Errands(std::move(config), clock, std::move(watch), std::move(timer)));
  TRY(errands->watchAll());
  return errands;
}

Result<std::vector<std::string>> Errands::all() const {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(config_.directory, error))
    if (const std::string name = entry.path().filename(); isName(name)) found.push_back(name);
  if (error) return fail(Code::Unavailable, fmt::format("cannot list {}: {}", config_.directory, error.message()));
  return found;
}

Result<> Errands::watchAll() {
  for (const std::string& errand : TRY(all())) TRY(watch_.add(TRY(papersOf(errand)).directory));
  lookout_ = TRY(Lookout::start());
  TRY(lookout_->watch(timer_.number(), [this] {
    std::uint64_t times = 0;
    if (::read(timer_.number(), &times, sizeof times) < 0) return;
    const Lock lock(mutex_);
    if (!reserve_) refill();
  }));
  return lookout_->watch(watch_.descriptor(), [this] { readNews(); });
}

Result<bool> Errands::isAlive(const std::string& errand) {
  const Papers papers = TRY(papersOf(errand));
  const Lock lock(mutex_);
  return isAlive(errand, papers);
}

Result<bool> Errands::holdsLock(const std::string& errand) const {
  return TRY(FileLock::holder(TRY(papersOf(errand)).lock())).has_value();
}

bool Errands::hasOrders(const std::string& errand) {
  const auto papers = papersOf(errand);
  return papers && fs::exists(papers->orders());
}

Result<Papers> Errands::makePapers(const std::string& errand) {
  Papers papers = TRY(papersOf(errand));
  TRY(makeDirectory(papers.directory));
  TRY(watch_.add(papers.directory));
  return papers;
}

Result<> Errands::giveOrders(const std::string& errand, const std::string& orders) {
  const Papers papers = TRY(makePapers(errand));
  return replaceFile(papers.orders(), orders, Durable::Content);
}

void Errands::Waiting::tell(const std::string& words) {
  told = words;
  const std::string whole = words + "\n";
  // One that has gone is found out by its end.
  (void)::send(line.number(), whole.data(), whole.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Errands::expect(const std::string& errand, const std::string& hint) {
  const auto papers = papersOf(errand);
  if (!papers || hasOrders(errand)) return;
  const Lock lock(mutex_);
  if (children_.contains(errand)) return;
  auto waiting = expected_.find(errand);
  if (waiting == expected_.end()) {
    if (!reserve_) refill();
    if (!reserve_) return;
    waiting = expected_.emplace(errand, std::move(*reserve_)).first;
    reserve_.reset();
    waiting->second.tell(papers->directory);
  }
  if (!hint.empty() && hint != waiting->second.told) waiting->second.tell(hint);
}

void Errands::beReady() {
  const Lock lock(mutex_);
  if (!std::exchange(ready_, true) && !reserve_) refill();
}

void Errands::refill() {
  auto waiting = spawnWaiting();
  if (waiting)
    reserve_ = std::move(*waiting);
  else
    log::warn("no {} can wait: {}", config_.verb, waiting.error().message);
}

void Errands::refillLater() {
  const itimerspec once{.it_interval = {}, .it_value = kRefillAfter};
  if (!config_.waiting.empty()) timerfd_settime(timer_.number(), 0, &once, nullptr);
}

Result<Process> Errands::spawn(Command command) {
  command.ownSession = true;
  Process child = TRY(Process::start(command));
  TRY(lookout_->watch(child.descriptor(), [this, process = child.descriptor()] { reap(process); }));
  return child;
}

Result<Errands::Waiting> Errands::spawnWaiting() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return failedTo("make", "a pair of sockets");
  Descriptor here(ends[0]);
  const Descriptor there(ends[1]);
  std::vector<std::string> argv{config_.program, config_.verb};
  argv.insert(argv.end(), config_.waiting.begin(), config_.waiting.end());
  Process child = TRY(spawn({.argv = std::move(argv), .input = there.number()}));
  return Waiting{.process = std::move(child), .line = std::move(here)};
}

// Whether one waited: then it has seen the orders, or is about to. If it goes meanwhile, that is its end.
bool Errands::takeExpected(const std::string& errand) {
  auto expected = expected_.extract(errand);
  if (!expected) return false;
  children_.emplace(errand, std::move(expected.mapped().process));
  return true;
}

Result<> Errands::start(const std::string& errand) {
  const Papers papers = TRY(papersOf(errand));
  const Lock lock(mutex_);
  const bool waited = takeExpected(errand);
  if (!waited && TRY(isAlive(errand, papers))) return {};
  Starts& starts = starts_[errand];
  if (!waited && starts.count >= kStartsAtOnce && clock_.now() - starts.last < kRestartPause)
    return fail(Code::Unavailable, fmt::format("the {} of {} dies at once, again and again", config_.verb, errand));
  if (!waited) {
    Process child = TRY(spawn({.argv = {config_.program, config_.verb, "--directory", papers.directory},
                               .outputFile = papers.log(),
                               .errorFile = papers.log()}));
    children_.emplace(errand, std::move(child));
  }
  starts = {starts.count + 1, clock_.now()};
  // Without its orders it would get the same ones again; they need not be safe before it starts.
  TRY(syncDirectory(papers.directory));
  return syncDirectory(config_.directory);
}

Result<> Errands::cancel(const std::string& errand) {
  const Papers papers = TRY(papersOf(errand));
  return leaveWord(errand, papers.cancel());
}

Result<> Errands::leaveWord(const std::string& errand, const std::string& file) const {
  if (fs::exists(file)) return {};
  if (!fs::exists(TRY(papersOf(errand)).directory))
    return fail(Code::NotFound, fmt::format("there is no {} of {}", config_.verb, errand));
  return replaceFile(file, "");
}

Result<> Errands::forget(const std::string& errand) {
  const Papers papers = TRY(papersOf(errand));
  const Lock lock(mutex_);
  if (TRY(isAlive(errand, papers)))
    return fail(Code::Conflict, fmt::format("the {} of {} is alive", config_.verb, errand));
  if (const auto waiting = expected_.find(errand); waiting != expected_.end())
    TRY(waiting->second.process.kill(SIGKILL));
  std::error_code error;
  fs::remove_all(papers.directory, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot remove {}: {}", papers.directory, error.message()));
  starts_.erase(errand);
  return {};
}

void Errands::whenChanged(std::function<void(const std::string&)> changed) {
  const Lock lock(mutex_);
  changed_ = std::move(changed);
}

Result<Papers> Errands::papersOf(const std::string& errand) const {
  if (!isName(errand)) return fail(Code::Invalid, fmt::format("\"{}\" cannot be an errand's name", errand));
  return Papers{config_.directory + "/" + errand};
}

// A child that was started a moment ago does not hold its lock yet.
Result<bool> Errands::isAlive(const std::string& errand, const Papers& papers) {
  return children_.contains(errand) || TRY(FileLock::holder(papers.lock())).has_value();
}

void Errands::readNews() {
  for (const DirectoryWatch::Change& change : watch_.take())
    if (isNews({change.directory}, change)) announce(fs::path(change.directory).filename());
}

void Errands::reap(int process) {
  std::string errand;
  {
    const Lock lock(mutex_);
    const auto child = std::find_if(children_.begin(), children_.end(),
                                    [&](const auto& entry) { return entry.second.descriptor() == process; });
    if (child == children_.end()) return dropWaiting(process);
    const auto exit = child->second.poll();
    if (exit && !*exit) return;
    if (exit)
      log::info("the {} of {} ended with status {}, signal {}", config_.verb, child->first, (*exit)->status,
                (*exit)->signal);
    errand = child->first;
    lookout_->forget(process);
    children_.erase(child);
    refillLater();
  }
  announce(errand);
}

void Errands::dropWaiting(int process) {
  lookout_->forget(process);
  if (reserve_ && reserve_->process.descriptor() == process) {
    (void)reserve_->process.poll();
    reserve_.reset();
  }
  const auto waiting = std::find_if(expected_.begin(), expected_.end(),
                                    [&](const auto& entry) { return entry.second.process.descriptor() == process; });
  if (waiting == expected_.end()) return;
  (void)waiting->second.process.poll();
  expected_.erase(waiting);
}

void Errands::announce(const std::string& errand) {
  std::function<void(const std::string&)> changed;
  {
    const Lock lock(mutex_);
    changed = changed_;
  }
  if (changed) changed(errand);
}

}  // namespace godwit::node
