#include "node/errands.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

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

bool isNews(const Papers& papers, const DirectoryWatch::Change& change) {
  const std::string path = change.directory + "/" + change.file;
  return change.file.empty() || path == papers.lock() || path == papers.journal() || path == papers.report();
}

}  // namespace

Result<std::unique_ptr<Errands>> Errands::open(Config config, const Clock& clock) {
  TRY(makeDirectory(config.directory));
  auto watch = TRY(DirectoryWatch::open());
  std::unique_ptr<Errands> errands(new Errands(std::move(config), clock, std::move(watch)));
  TRY(errands->watchAll());
  return errands;
}

Result<> Errands::watchAll() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(config_.directory, error))
    if (isUid(entry.path().filename().string())) TRY(watch_.add(entry.path()));
  if (error) return fail(Code::Unavailable, fmt::format("cannot list {}: {}", config_.directory, error.message()));
  lookout_ = TRY(Lookout::start());
  return lookout_->watch(watch_.descriptor(), [this] { readNews(); });
}

Result<bool> Errands::isAlive(const std::string& errand) {
  const Papers papers = TRY(papersOf(errand));
  const Lock lock(mutex_);
  return isAlive(errand, papers);
}

bool Errands::hasOrders(const std::string& errand) {
  const auto papers = papersOf(errand);
  return papers && fs::exists(papers->orders());
}

Result<> Errands::giveOrders(const std::string& errand, const std::string& orders) {
  const Papers papers = TRY(papersOf(errand));
  TRY(makeDirectory(papers.directory));
  TRY(watch_.add(papers.directory));
  return replaceFile(papers.orders(), orders);
}

Result<> Errands::start(const std::string& errand) {
  const Papers papers = TRY(papersOf(errand));
  const Lock lock(mutex_);
  if (TRY(isAlive(errand, papers))) return {};
  Starts& starts = starts_[errand];
  if (starts.count >= kStartsAtOnce && clock_.now() - starts.last < kRestartPause)
    return fail(Code::Unavailable, fmt::format("the {} of {} dies at once, again and again", config_.verb, errand));
  Process child = TRY(Process::start({.argv = {config_.program, config_.verb, "--directory", papers.directory},
                                      .outputFile = papers.log(),
                                      .errorFile = papers.log(),
                                      .ownSession = true}));
  starts = {starts.count + 1, clock_.now()};
  const int descriptor = child.descriptor();
  children_.emplace(errand, std::move(child));
  return lookout_->watch(descriptor, [this, errand] { reap(errand); });
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
  if (!isUid(errand)) return fail(Code::Invalid, fmt::format("\"{}\" is no UID", errand));
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

void Errands::reap(const std::string& errand) {
  {
    const Lock lock(mutex_);
    const auto child = children_.find(errand);
    const auto exit = child->second.poll();
    if (exit && !*exit) return;
    if (exit)
      log::info("the {} of {} ended with status {}, signal {}", config_.verb, errand, (*exit)->status, (*exit)->signal);
    lookout_->forget(child->second.descriptor());
    children_.erase(child);
  }
  announce(errand);
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
