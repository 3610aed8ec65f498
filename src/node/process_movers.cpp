#include "node/process_movers.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "mover/report.hpp"

namespace godwit::node {
namespace {

using namespace std::chrono_literals;

namespace fs = std::filesystem;

// The guest may stand still while its mover is dead, so the first to die is replaced without a pause.
constexpr int kStartsAtOnce = 2;
constexpr auto kRestartPause = 1s;
constexpr std::size_t kLongestUid = 63;

bool isUid(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  };
  return !text.empty() && text.size() <= kLongestUid && std::all_of(text.begin(), text.end(), allowed);
}

Result<> makeDirectory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot make {}: {}", path, error.message()));
  return syncDirectory(fs::path(path).parent_path());
}

bool tellsOfTheMover(const mover::Papers& papers, const DirectoryWatch::Change& change) {
  const std::string path = change.directory + "/" + change.file;
  return change.file.empty() || path == papers.lock() || path == papers.journal() || path == papers.report();
}

}  // namespace

Result<std::unique_ptr<ProcessMovers>> ProcessMovers::open(Config config, const Clock& clock) {
  TRY(makeDirectory(config.directory));
  auto watch = TRY(DirectoryWatch::open());
  std::unique_ptr<ProcessMovers> movers(new ProcessMovers(std::move(config), clock, std::move(watch)));
  TRY(movers->watchMoves());
  return movers;
}

Result<> ProcessMovers::watchMoves() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(config_.directory, error))
    if (isUid(entry.path().filename().string())) TRY(watch_.add(entry.path()));
  if (error) return fail(Code::Unavailable, fmt::format("cannot list {}: {}", config_.directory, error.message()));
  lookout_ = TRY(Lookout::start());
  return lookout_->watch(watch_.descriptor(), [this] { readNews(); });
}

Result<Movers::State> ProcessMovers::state(const std::string& move) {
  const mover::Papers papers = TRY(papersOf(move));
  State state;
  {
    const Lock lock(mutex_);
    state.alive = TRY(isAlive(move, papers));
  }
  // Read after that: what a mover writes before it dies is then seen together with its death.
  const auto last = TRY(mover::readLastEntry(papers.journal()));
  if (last && mover::isVerdict(last->stage)) state.verdict = last;
  return state;
}

bool ProcessMovers::hasOrders(const std::string& move) {
  const auto papers = papersOf(move);
  return papers && fs::exists(papers->orders());
}

Result<> ProcessMovers::giveOrders(const mover::Orders& orders) {
  const mover::Papers papers = TRY(papersOf(orders.move));
  TRY(makeDirectory(papers.directory));
  TRY(watch_.add(papers.directory));
  return replaceFile(papers.orders(), mover::writeOrders(orders));
}

Result<> ProcessMovers::start(const std::string& move) {
  const mover::Papers papers = TRY(papersOf(move));
  const Lock lock(mutex_);
  if (TRY(isAlive(move, papers))) return {};
  Starts& starts = starts_[move];
  if (starts.count >= kStartsAtOnce && clock_.now() - starts.last < kRestartPause)
    return fail(Code::Unavailable, fmt::format("the mover of {} dies at once, again and again", move));
  Process child = TRY(Process::start({.argv = {config_.program, "mover", "--directory", papers.directory},
                                      .outputFile = papers.log(),
                                      .errorFile = papers.log(),
                                      .ownSession = true}));
  starts = {starts.count + 1, clock_.now()};
  const int descriptor = child.descriptor();
  children_.emplace(move, std::move(child));
  return lookout_->watch(descriptor, [this, move] { reap(move); });
}

Result<> ProcessMovers::cancel(const std::string& move) {
  const mover::Papers papers = TRY(papersOf(move));
  if (fs::exists(papers.cancel())) return {};
  if (!fs::exists(papers.directory)) return fail(Code::NotFound, fmt::format("there is no move {}", move));
  return replaceFile(papers.cancel(), "");
}

std::optional<mover::Progress> ProcessMovers::progress(const std::string& move) {
  const auto papers = papersOf(move);
  return papers ? mover::readLastReport(papers->report()) : std::nullopt;
}

Result<> ProcessMovers::forget(const std::string& move) {
  const mover::Papers papers = TRY(papersOf(move));
  const Lock lock(mutex_);
  if (TRY(isAlive(move, papers))) return fail(Code::Conflict, fmt::format("the mover of {} is alive", move));
  std::error_code error;
  fs::remove_all(papers.directory, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot remove {}: {}", papers.directory, error.message()));
  starts_.erase(move);
  return {};
}

void ProcessMovers::whenChanged(std::function<void(const std::string&)> changed) {
  const Lock lock(mutex_);
  changed_ = std::move(changed);
}

Result<std::string> ProcessMovers::logFile(const std::string& move) const { return TRY(papersOf(move)).log(); }

Result<mover::Papers> ProcessMovers::papersOf(const std::string& move) const {
  if (!isUid(move)) return fail(Code::Invalid, fmt::format("\"{}\" is not the UID of a move", move));
  return mover::Papers{config_.directory + "/" + move};
}

// A child that was started a moment ago does not hold its lock yet.
Result<bool> ProcessMovers::isAlive(const std::string& move, const mover::Papers& papers) {
  return children_.contains(move) || TRY(FileLock::holder(papers.lock())).has_value();
}

void ProcessMovers::readNews() {
  for (const DirectoryWatch::Change& change : watch_.take())
    if (tellsOfTheMover({change.directory}, change)) announce(fs::path(change.directory).filename());
}

void ProcessMovers::reap(const std::string& move) {
  {
    const Lock lock(mutex_);
    const auto child = children_.find(move);
    const auto exit = child->second.poll();
    if (exit && !*exit) return;
    if (exit) log::info("the mover of {} ended with status {}, signal {}", move, (*exit)->status, (*exit)->signal);
    lookout_->forget(child->second.descriptor());
    children_.erase(child);
  }
  announce(move);
}

void ProcessMovers::announce(const std::string& move) {
  std::function<void(const std::string&)> changed;
  {
    const Lock lock(mutex_);
    changed = changed_;
  }
  if (changed) changed(move);
}

}  // namespace godwit::node
