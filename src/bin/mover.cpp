#include "mover/mover.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
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
#include "hypervisor/libvirt/libvirt_hypervisor.hpp"
#include "schema/report.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

namespace libvirt = hypervisor::libvirt;

constexpr Duration kTryAgainAfter = 200ms;
constexpr Duration kTellEvery = 5s;
constexpr Duration kOrdersComeWithin = 20s;

int exitCodeOf(mover::Stage verdict) {
  switch (verdict) {
    case mover::Stage::Moved:
      return 0;
    case mover::Stage::NotMoved:
      return 1;
    case mover::Stage::Lost:
      return 3;
    case mover::Stage::Copying:
    case mover::Stage::Verifying:
    case mover::Stage::InSync:
    case mover::Stage::Holding:
    case mover::Stage::Recalling:
    case mover::Stage::PostCopying:
    case mover::Stage::SwitchingOver:
    case mover::Stage::Mending:
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

// A mover may be started before its orders are there, because that takes a while. It lives no longer than who did so,
// until they come. False when they do not.
Result<bool> awaitOrders(const Papers& papers) {
  if (std::filesystem::exists(papers.orders())) return true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto watch = TRY(DirectoryWatch::open());
  TRY(watch.add(std::filesystem::path(papers.directory).parent_path()));
  const SystemClock clock;
  const Timestamp begin = clock.now();
  while (!std::filesystem::exists(papers.orders())) {
    (void)watch.add(papers.directory);  // once it is there
    if (std::filesystem::exists(papers.orders())) break;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(kOrdersComeWithin - (clock.now() - begin));
    pollfd news{.fd = watch.descriptor(), .events = POLLIN, .revents = 0};
    if (left <= 0ms || ::poll(&news, 1, static_cast<int>(left.count())) == 0) return false;
    watch.take();
  }
  prctl(PR_SET_PDEATHSIG, 0);
  return true;
}

// Whoever was started before there was a place for its words puts them there now.
Result<> speakInto(const std::string& log) {
  const Descriptor file(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file || ::dup2(file.number(), STDOUT_FILENO) < 0 || ::dup2(file.number(), STDERR_FILENO) < 0)
    return failedTo("write to", log);
  return {};
}

// The source's, which one who waits for orders knows already.
struct Line {
  std::string uri;
  std::unique_ptr<hypervisor::Hypervisor> hypervisor;
};

// Both sides are called at the same time, so that the first look at each finds an open line.
void callBoth(hypervisor::Hypervisor& source, hypervisor::Hypervisor* target, const std::string& domain) {
  const std::jthread calling([&] {
    if (target) (void)target->runStateOf(domain);
  });
  (void)source.runStateOf(domain);
}

// Does not return once there is a verdict.
Result<> carryOutMove(const Papers& papers, libvirt::EventLoop& events, Line line) {
  const mover::Orders orders = TRY(mover::parseOrders(TRY(readFile(papers.orders()))));
  const SystemClock clock;
  Bell bell;
  if (line.uri != orders.sourceUri) line.hypervisor = libvirt::connectLater(events, {.uri = orders.sourceUri});
  const auto& source = line.hypervisor;
  const auto target = orders.inPlace ? nullptr : libvirt::connectLater(events, targetOf(orders));
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
  if (!journal.last()) callBoth(*source, target.get(), orders.domain);
  mover::Mover mover(orders,
                     {.source = *source, .target = target ? *target : *source, .journal = journal, .clock = clock},
                     [&] { bell.ring(); });
  const mover::Stage verdict = stepToVerdict({mover, journal, report, papers, options, bell, clock});
  log::info("{}: {}", orders.domain, schema::nameOf(verdict));
  // The verdict is durable. To go through the destructors would be to wait for a call to a
  // daemon that may never answer.
  std::_Exit(exitCodeOf(verdict));
}

// Does not return once there is a verdict.
Result<> moveWhenOrdered(const Papers& papers, const std::string& sourceUri) {
  const auto events = TRY(libvirt::EventLoop::start());
  Line line{sourceUri, {}};
  if (!sourceUri.empty()) {
    line.hypervisor = libvirt::connectLater(*events, {.uri = sourceUri});
    (void)line.hypervisor->runStateOf("");
  }
  if (!TRY(awaitOrders(papers))) return {};
  outliveSignals();
  TRY(speakInto(papers.log()));
  const auto lock = TRY(FileLock::take(papers.lock()));
  return lock ? carryOutMove(papers, *events, std::move(line)) : Result<>{};
}

}  // namespace

int runMoverCommand(const MoverOptions& options) {
  const auto ended = moveWhenOrdered(Papers{options.directory}, options.source);
  if (ended) return 0;
  log::error("the move cannot begin: {}", ended.error().message);
  return kCannotBegin;
}

}  // namespace godwit::bin
