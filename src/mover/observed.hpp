#pragma once

#include <string>
#include <vector>

#include "mover/journal.hpp"
#include "mover/patience.hpp"

// What a mover sees, and the steps it can take. Both tables are pure: they see only this.
namespace godwit::mover {

// A copy of the guest on one side, as that side's hypervisor says now.
enum class Copy {
  Unknown,  // the hypervisor does not answer
  Absent,   // it answers that there is none, and that none has run there
  Ended,    // it has run there, or may have, and does no more
  Running,
  Paused,
  InTransit,
  LeftBehind,  // the guest runs on the other side, and has part of its memory here
};

// One disk that is to change its place.
enum class DiskPlace {
  AtSource,   // no mirror
  Mirroring,  // not all was copied yet
  Ready,      // all was, and what the guest writes since follows
  AtDestination,
};

// What is known of whether the copies of disks are what they are copies of.
enum class Agreement {
  Unasked,
  Pending,
  Doubtful,  // pending, and only a guest that stands still lets it be found out
  Equal,
  Different,
  Impossible,  // they cannot be compared
};

struct Observed {
  Entry record;  // the journal's last
  bool cancelRequested = false;
  bool targetDead = false;  // and that is why it is to be given up
  Copy source = Copy::Unknown;
  Copy target = Copy::Unknown;
  bool migrationUnderWay = false;
  bool attempted = false;        // this process has begun the copy
  bool goneAhead = false;        // this process has let the guest go ahead, whether or not that is to be seen yet
  bool incompatible = false;     // the guest counts on a processor that the target cannot give it
  Lapse lapse = Lapse::None;     // while it is copied
  bool mayPostCopy = false;      // the guest may go on before its memory is there when its time is up
  bool mayHold = false;          // the guest may be made to wait when its time is up
  std::string error;             // what the hypervisor said when the copy ended
  std::vector<DiskPlace> disks;  // in place: one per disk that moves
  bool copiesLag = false;        // in place: something that the guest has written is not in a copy yet
  bool heldTooLong = false;      // in place: the guest has stood still for that as long as it may
  Agreement agreement = Agreement::Unasked;  // in place
  bool switchOverHeld = false;               // in place: what is written follows until this holds no more
};

struct Step {
  Stage stage = Stage::Copying;
  std::string_view reason;

  bool operator==(const Step&) const = default;
};

enum class Duty {
  Wait,
  BeginMigration,
  Hold,
  BeginPostCopy,
  StartPostCopy,
  DestroySource,
  CancelMigration,
  Fence,
  DestroyTarget,
  ResumeSource,
  Pause,
  BeginCopies,
  Compare,
  Pivot,
  CancelCopies,
};

// The guest goes to another node, with or without its disks.
namespace migration {
Step decide(const Observed& observed);
Duty dutyOf(Stage stage, const Observed& observed);
}  // namespace migration

// The disks change their place, the guest stays.
namespace in_place {
Step decide(const Observed& observed);
Duty dutyOf(Stage stage, const Observed& observed);
}  // namespace in_place

}  // namespace godwit::mover
