#include "metrics/moves.hpp"

namespace godwit::metrics {
namespace {

using kinds::MigrationPhase;

// Of KubeVirt.
const prometheus::Histogram::BucketBoundaries kPhaseSeconds = {0.5, 1,  2,   5,   10,  20,  30,   40,   50,
                                                               60,  90, 120, 180, 300, 600, 1200, 1800, 3600};
// From what QEMU can do to what every guest notices.
const prometheus::Histogram::BucketBoundaries kOutageSeconds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                                0.5,   1,    2.5,   5,    10,  30};

constexpr Title kPhaseDurations = {"kubevirt_vmi_migration_phase_transition_time_from_creation_seconds",
                                   "Histogram of VM migration phase transitions duration from creation time in "
                                   "seconds.",
                                   MetricType::Histogram};
constexpr Title kOutages = {"godwit_migration_outage_seconds", "How long guests stood still while they were moved.",
                            MetricType::Histogram};
constexpr Title kEnded = {"godwit_migrations_ended_total", "Migrations that have ended, by phase and failure class.",
                          MetricType::Counter};

double secondsOf(Duration duration) { return std::chrono::duration<double>(duration).count(); }
double secondsOf(Timestamp time) { return secondsOf(time.time_since_epoch()); }
double valueOf(std::int64_t number) { return static_cast<double>(number); }

struct Count {
  Title title;
  bool (*includes)(const Move&);
};

// KubeVirt has one word for all that is between scheduling and the end.
constexpr Count kCounts[] = {
    {{"kubevirt_vmi_migrations_in_unset_phase", "Number of current unset migrations."},
     [](const Move& move) { return move.phase == MigrationPhase::Unset; }},
    {{"kubevirt_vmi_migrations_in_pending_phase", "Number of current pending migrations."},
     [](const Move& move) { return move.phase == MigrationPhase::Pending; }},
    {{"kubevirt_vmi_migrations_in_scheduling_phase", "Number of current scheduling migrations."},
     [](const Move& move) { return move.phase == MigrationPhase::Scheduling; }},
    {{"kubevirt_vmi_migrations_in_running_phase", "Number of current running migrations."},
     [](const Move& move) { return move.phase > MigrationPhase::Scheduling && !kinds::isFinal(move.phase); }},
    {{"godwit_migration_queue_length", "Migrations that wait for their turn."},
     [](const Move& move) { return move.waits; }},
};

struct Amount {
  Title title;
  std::int64_t (*of)(const kinds::MoveProgress&);
};

constexpr Amount kAmounts[] = {
    {{"kubevirt_vmi_migration_data_bytes_total", "The total Guest OS data to be migrated to the new VM.",
      MetricType::Counter},
     [](const kinds::MoveProgress& progress) { return progress.disksTotal + progress.memoryTotal; }},
    {{"kubevirt_vmi_migration_data_processed_bytes", "The total Guest OS data processed and migrated to the new VM."},
     [](const kinds::MoveProgress& progress) { return progress.disksDone + progress.memoryDone; }},
    {{"kubevirt_vmi_migration_data_remaining_bytes", "The remaining guest OS data to be migrated to the new VM."},
     [](const kinds::MoveProgress& progress) {
       return progress.disksTotal - progress.disksDone + progress.memoryTotal - progress.memoryDone;
     }},
    {{"kubevirt_vmi_migration_dirty_memory_rate_bytes", "The rate of memory being dirty in the Guest OS."},
     [](const kinds::MoveProgress& progress) { return progress.dirtyBytesPerSecond; }},
    {{"kubevirt_vmi_migration_memory_transfer_rate_bytes", "The rate at which the memory is being transferred."},
     [](const kinds::MoveProgress& progress) { return progress.bytesPerSecond; }},
};

Move readMove(const object::Document& document) {
  return moveOf(schema::view<kinds::VirtualMachineInstanceMigration>(document));
}

bool hasOutage(const Move& move) { return move.progress && move.progress->downtimeMs; }

// One family for each of the rows of a table, and one sample for each move that it is about.
class Sheet {
 public:
  Sheet() {
    for (const Amount& amount : kAmounts) amounts_.push_back(familyOf(amount.title));
  }

  void add(const object::Key& key, const Move& move) {
    for (std::size_t i = 0; i < std::size(kCounts); ++i) counts_[i] += kCounts[i].includes(move) ? 1 : 0;
    addEnd(key, move);
    addTimes(key, move);
    if (!move.progress) return;
    if (!kinds::isFinal(move.phase))
      for (std::size_t i = 0; i < std::size(kAmounts); ++i)
        metrics::add(amounts_[i], {{"namespace", key.nameSpace}, {"name", move.instance}, {"node", move.source}},
                     valueOf(kAmounts[i].of(*move.progress)));
    for (const kinds::DiskProgress& disk : move.progress->disks) {
      const Labels labels = {
          {"namespace", key.nameSpace}, {"vmi", move.instance}, {"vmim", key.name}, {"disk", disk.name}};
      metrics::add(diskBytes_, labels, valueOf(disk.bytesTotal));
      metrics::add(diskBytesDone_, labels, valueOf(disk.bytesDone));
    }
  }

  void addTo(Families& families) {
    for (std::size_t i = 0; i < std::size(kCounts); ++i) metrics::add(families, kCounts[i].title, counts_[i]);
    for (auto* family : {&succeeded_, &failed_, &began_, &ended_, &diskBytes_, &diskBytesDone_})
      families.push_back(std::move(*family));
    for (auto& family : amounts_) families.push_back(std::move(family));
  }

 private:
  void addEnd(const object::Key& key, const Move& move) {
    if (!kinds::isFinal(move.phase)) return;
    auto& family = move.phase == MigrationPhase::Succeeded ? succeeded_ : failed_;
    metrics::add(family, {{"vmi", move.instance}, {"vmim", key.name}, {"namespace", key.nameSpace}}, 1);
  }

  void addTimes(const object::Key& key, const Move& move) {
    const bool succeeded = move.phase == MigrationPhase::Succeeded;
    Labels labels = {{"node", succeeded ? move.target : move.source},
                     {"namespace", key.nameSpace},
                     {"name", move.instance},
                     {"migration_name", key.name}};
    if (move.began) metrics::add(began_, labels, secondsOf(*move.began));
    if (!move.ended) return;
    labels.push_back({"status", succeeded ? "succeeded" : "failed"});
    metrics::add(ended_, std::move(labels), secondsOf(*move.ended));
  }

  int counts_[std::size(kCounts)] = {};
  prometheus::MetricFamily succeeded_ =
      familyOf({"kubevirt_vmi_migration_succeeded", "Indicates if the VMI migration succeeded."});
  prometheus::MetricFamily failed_ =
      familyOf({"kubevirt_vmi_migration_failed", "Indicates if the VMI migration failed."});
  prometheus::MetricFamily began_ =
      familyOf({"kubevirt_vmi_migration_start_time_seconds", "The time at which the migration started."});
  prometheus::MetricFamily ended_ =
      familyOf({"kubevirt_vmi_migration_end_time_seconds", "The time at which the migration ended."});
  prometheus::MetricFamily diskBytes_ =
      familyOf({"godwit_migration_disk_bytes_total", "What is to be copied of a disk.", MetricType::Counter});
  prometheus::MetricFamily diskBytesDone_ =
      familyOf({"godwit_migration_disk_processed_bytes", "What has been copied of a disk."});
  Families amounts_;
};

}  // namespace

Move moveOf(const kinds::VirtualMachineInstanceMigration& migration) {
  const auto& status = migration.status;
  Move move{.instance = migration.spec.vmiName,
            .source = {},
            .target = {},
            .phase = status.phase,
            .waits = status.godwit.queue.has_value(),
            .failureClass = status.godwit.failure ? status.godwit.failure->failureClass : "",
            .created = migration.metadata.creationTimestamp,
            .entered = kinds::enteredAt(status.phaseTransitionTimestamps, schema::nameOf(status.phase)),
            .began = {},
            .ended = {},
            .progress = status.godwit.progress};
  if (const auto& state = status.migrationState) {
    move.source = state->sourceNode;
    move.target = state->targetNode;
    move.began = state->startTimestamp;
    move.ended = state->endTimestamp;
  }
  return move;
}

Moves::Moves(const client::Client& api)
    : outages_(kOutageSeconds),
      ledger_(api, schema::kind<kinds::VirtualMachineInstanceMigration>, readMove,
              [this](const object::Key&, const Move* before, const Move* after) { see(before, after); }) {}

void Moves::see(const Move* before, const Move* after) {
  if (!before || !after) return;
  if (!hasOutage(*before) && hasOutage(*after))
    outages_.Observe(secondsOf(std::chrono::milliseconds(*after->progress->downtimeMs)));
  if (before->phase == after->phase) return;
  const Lock lock(mutex_);
  if (kinds::isFinal(after->phase)) ++ended_[{after->phase, after->failureClass}];
  if (after->created && after->entered)
    reached_.try_emplace(after->phase, kPhaseSeconds)
        .first->second.Observe(secondsOf(*after->entered - *after->created));
}

void Moves::addTo(Families& families) const {
  Sheet sheet;
  ledger_.each([&](const object::Key& key, const Move& move) { sheet.add(key, move); });
  sheet.addTo(families);
  families.push_back(familyOf(kOutages));
  families.back().metric.push_back(outages_.Collect());
  const Lock lock(mutex_);
  families.push_back(familyOf(kPhaseDurations));
  for (const auto& [phase, durations] : reached_) {
    families.back().metric.push_back(durations.Collect());
    families.back().metric.back().label = {{"phase", std::string(schema::nameOf(phase))}};
  }
  families.push_back(familyOf(kEnded));
  for (const auto& [end, count] : ended_)
    add(families.back(), {{"phase", std::string(schema::nameOf(end.phase))}, {"class", end.failureClass}}, count);
}

}  // namespace godwit::metrics
