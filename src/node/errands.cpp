#include "node/errands.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
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
  std::unique_ptr<Errands> errands(new Errands(std::move(config), clock, std::move(watch)));
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

void Errands::expect(const std::string& errand) {
  const auto papers = papersOf(errand);
  if (!papers || hasOrders(errand)) return;
  const Lock lock(mutex_);
  if (expected_.contains(errand) || children_.contains(errand)) return;
  auto command = commandFor(*papers);
  command.insert(command.end(), config_.hints.begin(), config_.hints.end());
  if (auto child = spawn(std::move(command), errand, "")) expected_.emplace(errand, std::move(*child));
}

std::vector<std::string> Errands::commandFor(const Papers& papers) const {
  return {config_.program, config_.verb, "--directory", papers.directory};
}

Result<Process> Errands::spawn(std::vector<std::string> command, const std::string& errand, const std::string& log) {
  Process child =
      TRY(Process::start({.argv = std::move(command), .outputFile = log, .errorFile = log, .ownSession = true}));
  TRY(lookout_->watch(child.descriptor(), [this, errand] { reap(errand); }));
  return child;
}

// Whether it still waits: then it has seen the orders, or is about to. If it goes meanwhile, that is its end.
bool Errands::takeExpected(const std::string& errand) {
  auto expected = expected_.extract(errand);
  if (!expected) return false;
  children_.insert(std::move(expected));
  return true;
}

Result<> Errands::start(const std::string& errand) {
  const Papers papers = TRY(papersOf(errand));
  const Lock lock(mutex_);
  if (TRY(isAlive(errand, papers))) return {};
  Starts& starts = starts_[errand];
  if (starts.count >= kStartsAtOnce && clock_.now() - starts.last < kRestartPause)
    return fail(Code::Unavailable, fmt::format("the {} of {} dies at once, again and again", config_.verb, errand));
  if (!takeExpected(errand)) children_.emplace(errand, TRY(spawn(commandFor(papers), errand, papers.log())));
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
  if (const auto waiting = expected_.find(errand); waiting != expected_.end()) TRY(waiting->second.kill(SIGKILL));
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

void Errands::reap(const std::string& errand) {
  {
    const Lock lock(mutex_);
    const bool begun = children_.contains(errand);
    auto& among = begun ? children_ : expected_;
    const auto child = among.find(errand);
    if (child == among.end()) return;
    const auto exit = child->second.poll();
    if (exit && !*exit) return;
    if (exit && begun)
      log::info("the {} of {} ended with status {}, signal {}", config_.verb, errand, (*exit)->status, (*exit)->signal);
    lookout_->forget(child->second.descriptor());
    among.erase(child);
    if (!begun) return;
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
