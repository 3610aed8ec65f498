#include <fmt/format.h>

#include "sim/processes.hpp"

// What must never be, looked for after every step.
namespace godwit::sim {
namespace {

// A move stands still for a moment; this many steps without a running guest are more than a moment.
constexpr int kLongestWithoutGuest = 20'000;

}  // namespace

void Simulation::check() {
  const int copies = fabric_.runningCopies(kDomain);
  if (copies > 1) return complain(fmt::format("{} copies of the guest run", copies));
  if (copies == 1 && !leaving_) guestBegun_ = true;
  withoutGuest_ = copies == 0 && guestBegun_ ? withoutGuest_ + 1 : 0;
  if (withoutGuest_ > kLongestWithoutGuest && !diskIsLeaving_) return complain("the guest does not run any more");
  const std::uint64_t record = fabric_.newestRecord(kDomain).value_or(newestRecord_);
  // What was on a disk that somebody has deleted is gone with it.
  if (record < newestRecord_ && !diskIsLeaving_)
    return complain(fmt::format("the guest has forgotten record {}", newestRecord_));
  newestRecord_ = record;
  if (!fabric_.violations().empty()) return complain(fabric_.violations().front());
  if (steps_ % 16 == 0) checkVerdicts();
  if (std::exchange(checkedRevision_, store_.revision()) == store_.revision()) return;
  checkRecords();
  checkClaims();
  checkLimits();
}

// A migration that says it has failed must have nobody at work who could still move the guest, and one
// that says it has succeeded must have moved it.
void Simulation::checkVerdicts() {
  if (!exchange_.server) return;
  const auto migrations = people_->list(schema::kind<kinds::VirtualMachineInstanceMigration>);
  if (!migrations) return;
  for (const auto& document : migrations->items) {
    const auto migration = schema::view<kinds::VirtualMachineInstanceMigration>(document);
    if (!kinds::isFinal(migration.status.phase)) continue;
    for (const auto& node : nodes_) {
      const auto move = node->movers.moves.find(migration.metadata.uid);
      if (move == node->movers.moves.end()) continue;
      const auto last = move->second.journal.last();
      const bool moved = last && last->stage == mover::Stage::Moved;
      const bool succeeded = migration.status.phase == kinds::MigrationPhase::Succeeded;
      if (move->second.process) return complain(migration.metadata.name + " is over, but its mover works on");
      // An instance that is deleted while its guest moves leaves nothing that could be called a success.
      const bool instanceGone = moved && migration.status.godwit.reason == "InstanceLost" && leaving_;
      if (moved != succeeded && !instanceGone && !move->second.struck)
        return complain(fmt::format("{} says {} ({}: {}), but its mover says {}", migration.metadata.name,
                                    schema::nameOf(migration.status.phase), migration.status.godwit.reason,
                                    migration.status.godwit.message, last ? schema::nameOf(last->stage) : "nothing"));
    }
  }
}

// A phase is on record before its work is done: no target without Scheduling, no mover without Running.
void Simulation::checkRecords() {
  if (!exchange_.server) return;
  const auto pods = people_->list(schema::kind<kinds::Pod>);
  if (!pods) return;
  for (const auto& document : pods->items) {
    const auto pod = schema::view<kinds::Pod>(document);
    const std::string name = object::valueOf(pod.metadata.annotations, kinds::words::kMigrationJobName);
    if (name.empty()) continue;
    const auto migration = get<kinds::VirtualMachineInstanceMigration>(name);
    const std::string uid = object::valueOf(pod.metadata.labels, kinds::words::kMigrationJobUid);
    if (!migration || migration->metadata.uid != uid) continue;
    const bool moves = object::valueOf(pod.metadata.labels, kinds::words::kApp) == kinds::words::kAppMigration;
    const auto due = moves ? kinds::MigrationPhase::Running : kinds::MigrationPhase::Scheduling;
    if (migration->status.phase < due)
      complain(fmt::format("{} has its {} before that is on record", name, moves ? "mover" : "target"));
  }
}

}  // namespace godwit::sim
