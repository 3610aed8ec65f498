#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.hpp"
#include "hypervisor/hypervisor.hpp"
#include "mover/gauge.hpp"
#include "mover/journal.hpp"
#include "mover/observed.hpp"
#include "mover/options.hpp"
#include "mover/orders.hpp"
#include "mover/verification.hpp"
#include "storage/thin_door.hpp"

namespace godwit::mover {

// The features of a guest's processor that a target cannot give it.
Result<std::vector<std::string>> lackingFeatures(hypervisor::Hypervisor& source, hypervisor::Hypervisor& target,
                                                 const std::string& domain);

// What is done about a disk that takes zeros literally.
struct ThinWays {
  std::function<Result<bool>(const hypervisor::DiskSource&)> takesNoRoom = storage::takesNoRoom;
  // Opens a way to the disk on which no zeros go where zeros are, or opens it again: the socket that it begins at, the
  // same each time. Without this there is none. Conflict when nobody may write to the disk yet.
  std::function<Result<std::string>(const hypervisor::DiskSource& disk)> open = {};
};

// One move, from orders to verdict. It is a reconciler of two hypervisors: each step looks at both,
// decides by a table, puts a new stage into the journal, and only then acts. A mover that died
// is replaced by one that reads the same journal and does the same thing.
class Mover {
 public:
  struct Parties {
    hypervisor::Hypervisor& source;
    hypervisor::Hypervisor& target;  // the same as source for a move in place
    Journal& journal;
    const Clock& clock;
    FirstDifference firstDifference = storage::firstDifference;
    // What the target's processor lacks, for who has found it out beforehand.
    std::function<Result<std::vector<std::string>>()> lackingFeatures = {};
    ThinWays thinWays = {};
  };

  // `wake` is called, from any thread, when another step may find something new.
  Mover(Orders orders, Parties parties, std::function<void()> wake);
  ~Mover();

  // One pass. The verdict once there is one; an error means: try again.
  Result<std::optional<Entry>> step();

  // From now on; what is under way is told of it with the next step.
  void setOptions(const Options& options) { options_ = options; }

  // Asks for the move to be given up; too late once the switch-over has begun.
  void cancel() { cancelRequested_ = true; }

  // The target's node is known to be dead: when it does not answer, it has no copy.
  void noteTargetDead() { targetDead_ = true; }

  const Progress& progress() const { return gauge_.progress(); }

  // When whoever drives the mover steps it again, unless it is woken before: soon while something is being undone or
  // finished, of which no event tells.
  Duration lookAgainAfter() const;

 private:
  enum class Side { Source, Target };

  // The hypervisor's own migration call, shared with its callback.
  struct Call {
    Mutex mutex;
    bool pending GUARDED_BY(mutex) = false;
    bool isQuiet GUARDED_BY(mutex) = false;  // its end tells all that there is to know
    std::string error GUARDED_BY(mutex);
  };

  void hear(Side side);  // from any thread
  Observed observe();
  Copy lookAtTarget() const;
  void lookAtSource(Observed& seen);
  void observeDisks(const Result<hypervisor::DomainState>& guest, Observed& into) const;
  void noteHold(Observed& seen);
  void weigh(Observed& seen) const;
  Result<> tune(const Observed& observed, Stage stage);
  Result<> record(const Observed& observed, const Step& step);
  bool hasMovedFurther(const Observed& observed, const Step& step) const;
  std::string messageFor(const Observed& observed, const Step& step) const;
  std::string describePlaces(const Observed& observed) const;
  Result<> perform(Duty duty);
  std::vector<std::string> featuresLacking();
  Result<> startPostCopy();
  Result<> beginMigration(bool postCopy);
  Result<> beginCopies();
  // Empty when there is none, or none is needed.
  Result<std::string> thinWayTo(const MovedDisk& disk);
  void reopenThinWays();
  Result<> compareCopies();
  Result<> eachMirror(Result<> (hypervisor::Hypervisor::*act)(const std::string&, const std::string&), bool onlyReady);

  const Orders orders_;
  Parties parties_;
  std::function<void()> wake_;
  const std::shared_ptr<Call> call_ = std::make_shared<Call>();
  bool inherited_;  // from a mover that died, at any point: the source's copy may be shut out, and its daemon deaf
  Options options_;
  std::optional<hypervisor::Tuning> tuned_;  // what the copy under way is known to be told
  bool cancelRequested_ = false;
  bool targetDead_ = false;
  bool attempted_ = false;
  bool goneAhead_ = false;
  bool incompatible_ = false;
  std::atomic<Timestamp> targetSpoke_ = Timestamp();
  std::vector<MovedDisk> closedWays_;   // of a mover that died: copies may wait for them
  std::optional<Timestamp> heldSince_;  // the guest stands still, in place
  std::string error_;
  Gauge gauge_;
  Verification verification_;
};

}  // namespace godwit::mover
