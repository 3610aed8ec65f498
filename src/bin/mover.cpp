#include "mover/mover.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "base/bell.hpp"
#include "base/directory_watch.hpp"
#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/lookout.hpp"
#include "base/papers.hpp"
#include "bin/commands.hpp"
#include "bin/errand.hpp"
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "schema/report.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

namespace libvirt = hypervisor::libvirt;

constexpr Duration kTryAgainAfter = 200ms;
constexpr Duration kTellEvery = 5s;

int exitCodeOf(mover::Stage verdict) {
  switch (verdict) {
    case mover::Stage::Moved:
      return 0;
    case mover::Stage::NotMoved:
      return 1;
    case mover::Stage::Lost:
      return 3;
    case mover::Stage::Copying:
    case mover::Stage::Holding:
    case mover::Stage::Recalling:
    case mover::Stage::PostCopying:
    case mover::Stage::SwitchingOver:
    case mover::Stage::RollingBack:
      break;
  }
  return kCannotBegin;
}

// A network can be cut, and whoever gives up a move shall hear of it soon: nobody waits long for the other side.
libvirt::LibvirtConfig targetOf(const mover::Orders& orders) {
  if (orders.address.empty()) return {.uri = orders.targetUri};
  return {.uri = orders.targetUri, .openPatience = 2s, .keepAliveInterval = 1s, .keepAliveCount = 4};
}

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

// Does not return once there is a verdict.
Result<> carryOutMove(const Papers& papers) {
  const mover::Orders orders = TRY(mover::parseOrders(TRY(readFile(papers.orders()))));
  const SystemClock clock;
  Bell bell;
  const auto events = TRY(libvirt::EventLoop::start());
  const auto source = libvirt::connectLater(*events, {.uri = orders.sourceUri});
  const auto target = orders.inPlace ? nullptr : libvirt::connectLater(*events, targetOf(orders));
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
  mover::Mover mover(orders,
                     {.source = *source, .target = target ? *target : *source, .journal = journal, .clock = clock},
                     [&] { bell.ring(); });
  const mover::Stage verdict = stepToVerdict({mover, journal, report, papers, options, bell, clock});
  log::info("{}: {}", orders.domain, schema::nameOf(verdict));
  // The verdict is durable. To go through the destructors would be to wait for a call to a
  // daemon that may never answer.
  std::_Exit(exitCodeOf(verdict));
}

}  // namespace

int runMoverCommand(const std::string& directory) {
  outliveSignals();
  const Papers papers{directory};
  const auto lock = FileLock::take(papers.lock());
  if (lock && !*lock) return 0;
  const auto ended = lock ? carryOutMove(papers) : fail(lock.error());
  log::error("the move cannot begin: {}", ended.error().message);
  return kCannotBegin;
}

}  // namespace godwit::bin
