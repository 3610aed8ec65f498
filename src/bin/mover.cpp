#include "mover/mover.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

#include "base/bell.hpp"
#include "base/descriptor.hpp"
#include "base/directory_watch.hpp"
#include "base/failed_to.hpp"
#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/lookout.hpp"
#include "base/papers.hpp"
#include "bin/commands.hpp"
#include "bin/errand.hpp"
#include "bin/move_to_come.hpp"
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "schema/report.hpp"
#include "storage/thin_door.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

namespace libvirt = hypervisor::libvirt;

constexpr Duration kTryAgainAfter = 200ms;
constexpr Duration kTellEvery = 5s;

// The options among a move's papers, read again whenever they are other ones.
class OptionsOnPaper {
 public:
  explicit OptionsOnPaper(std::string path) : path_(std::move(path)) {}

  // From any thread.
  void noteNews() { news_ = true; }

  void giveTo(mover::Mover& mover) {
    if (!news_.exchange(false) || !std::filesystem::exists(path_)) return;
    const auto options = readFile(path_).and_then(mover::parseOptions);
    if (options)
      mover.setOptions(*options);
    else
      log::warn("the options cannot be read: {}", options.error().message);
  }

 private:
  const std::string path_;
  std::atomic<bool> news_ = true;
};

struct Means {
  mover::Mover& mover;
  const mover::Journal& journal;
  schema::Report<mover::Progress>& report;
  const Papers& papers;
  OptionsOnPaper& options;
  Bell& bell;
  const Clock& clock;
};

// Tells of progress in the log, now and then.
class Chronicle {
 public:
  explicit Chronicle(const Clock& clock) : clock_(clock), toldAt_(clock.now()) {}

  void note(const mover::Progress& progress) {
    if (clock_.now() - toldAt_ >= kTellEvery) tell(progress);
  }
  void tell(const mover::Progress& progress) {
    toldAt_ = clock_.now();
    const std::string sentence = sentenceOf(progress);
    if (!sentence.empty()) log::info("{}", sentence);
  }

 private:
  const Clock& clock_;
  Timestamp toldAt_;
};

mover::Stage stepToVerdict(const Means& means) {
  std::string complaint;
  Chronicle chronicle(means.clock);
  for (;;) {
    means.options.giveTo(means.mover);
    if (std::filesystem::exists(means.papers.cancel())) means.mover.cancel();
    if (std::filesystem::exists(means.papers.targetDead())) means.mover.noteTargetDead();
    const auto before = means.journal.last();
    const auto verdict = means.mover.step();
    means.report.note(means.mover.progress());
    if (verdict && *verdict) {
      chronicle.tell(means.mover.progress());
      return (*verdict)->stage;
    }
    chronicle.note(means.mover.progress());
    if (!verdict && verdict.error().message != complaint) {
      complaint = verdict.error().message;
      log::warn("{}", complaint);
    }
    // A new stage begins with a look of its own: its duty may be done already.
    if (means.journal.last() != before) continue;
    means.bell.waitFor(verdict ? means.mover.lookAgainAfter() : kTryAgainAfter, {});
  }
}

// Whoever was started before there was a place for its words puts them there now.
Result<> speakInto(const std::string& log) {
  const Descriptor file(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file || ::dup2(file.number(), STDOUT_FILENO) < 0 || ::dup2(file.number(), STDERR_FILENO) < 0)
    return failedTo("write to", log);
  return {};
}

// Both sides are called at the same time, so that the first look at each finds an open line.
void callBoth(hypervisor::Hypervisor& source, hypervisor::Hypervisor* target, const std::string& domain) {
  const std::jthread calling([&] {
    if (target) (void)target->runStateOf(domain);
  });
  (void)source.runStateOf(domain);
}

std::shared_ptr<hypervisor::Hypervisor> reach(const Side& known, const libvirt::LibvirtConfig& wanted,
                                              libvirt::EventLoop& events) {
  return known.isAt(wanted) ? known.hypervisor : libvirt::connectLater(events, wanted);
}

// Doors to disks that take zeros literally, open until a copy is begun anew.
class ThinDoors {
 public:
  explicit ThinDoors(std::string directory) : directory_(std::move(directory)) {}

  Result<std::string> open(const hypervisor::DiskSource& disk) {
    auto& door = doors_[disk.path];
    door.reset();
    door = TRY(storage::ThinDoor::open(disk, directory_));
    return door->socket();
  }

 private:
  const std::string directory_;
  std::map<std::string, std::unique_ptr<storage::ThinDoor>> doors_;
};

// Does not return once there is a verdict.
Result<> carryOutMove(const Papers& papers, libvirt::EventLoop& events, const MoveToCome& waited,
                      std::optional<FileLock> lock) {
  const mover::Orders orders = TRY(mover::parseOrders(TRY(readFile(papers.orders()))));
  const SystemClock clock;
  Bell bell;
  const auto source = reach(waited.source, {.uri = orders.sourceUri}, events);
  const auto target = orders.inPlace ? nullptr : reach(waited.target, targetOf(orders), events);
  auto journal = TRY(mover::FileJournal::open(papers.journal()));
  auto report = TRY(schema::Report<mover::Progress>::open(papers.report(), clock));
  auto watch = TRY(DirectoryWatch::open());
  TRY(watch.add(papers.directory));
  OptionsOnPaper options(papers.options());
  const auto lookout = TRY(Lookout::start());
  TRY(lookout->watch(watch.descriptor(), [&] {
    for (const auto& change : watch.take()) {
      const std::string changed = change.directory + "/" + change.file;
      const bool any = change.file.empty();
      if (any || changed == papers.options()) options.noteNews();
      if (any || changed == papers.options() || changed == papers.cancel()) bell.ring();
    }
  }));
  // Whoever takes a move over may find a source that is frozen, and its daemon deaf until it is thawed.
  const bool wellKnown = source == waited.source.hypervisor && target == waited.target.hypervisor;
  if (!journal.last() && !wellKnown) callBoth(*source, target.get(), orders.domain);
  mover::Mover::Parties parties{
      .source = *source, .target = target ? *target : *source, .journal = journal, .clock = clock};
  ThinDoors doors(orders.socketDirectory.empty() ? std::filesystem::path(papers.directory).parent_path().string()
                                                 : orders.socketDirectory);
  parties.thinWays.open = [&](const hypervisor::DiskSource& disk) { return doors.open(disk); };
  if (target && wellKnown)
    parties.lackingFeatures = [&] {
      const LackingFeatures& known = waited.lacking.get();
      return known ? known : mover::lackingFeatures(*source, *target, orders.domain);
    };
  mover::Mover mover(orders, parties, [&] { bell.ring(); });
  const mover::Stage verdict = stepToVerdict({mover, journal, report, papers, options, bell, clock});
  log::info("{}: {}", orders.domain, schema::nameOf(verdict));
  // The verdict is durable, and all is said. To go through the destructors would be to wait for a call to a daemon that
  // may never answer; and the kernel takes its time to close what was watched.
  lock.reset();
  std::_Exit(mover::exitCodeOf(verdict));
}

// Does not return once there is a verdict.
Result<> moveWhenOrdered(const MoverOptions& options) {
  const auto events = TRY(libvirt::EventLoop::start());
  MoveToCome waited(*events, options.directory.empty() ? options.source : "");
  const auto papers = options.directory.empty() ? TRY(waited.await()) : Papers{options.directory};
  // A daemon that does not answer is not waited for.
  if (!papers) std::_Exit(0);
  outliveSignals();
  TRY(speakInto(papers->log()));
  auto lock = TRY(FileLock::take(papers->lock()));
  return lock ? carryOutMove(*papers, *events, waited, std::move(lock)) : Result<>{};
}

}  // namespace

int runMoverCommand(const MoverOptions& options) {
  const auto ended = moveWhenOrdered(options);
  if (ended) return 0;
  log::error("the move cannot begin: {}", ended.error().message);
  return kCannotBegin;
}

}  // namespace godwit::bin
