#pragma once

#include <map>
#include <string>

#include <prometheus/histogram.h>

#include "kinds/migration.hpp"
#include "metrics/family.hpp"
#include "metrics/ledger.hpp"

namespace godwit::metrics {

// What a scrape says of one migration.
struct Move {
  std::string instance;
  std::string source;
  std::string target;
  kinds::MigrationPhase phase = kinds::MigrationPhase::Unset;
  bool waits = false;  // for its turn
  std::string failureClass;
  std::optional<Timestamp> created, entered, began, ended;  // `entered`: its phase
  std::optional<kinds::MoveProgress> progress;
};

Move moveOf(const kinds::VirtualMachineInstanceMigration& migration);

// All migrations there are, in KubeVirt's words and some of its own. What ended, and how, is counted as it happens: of
// those that had ended before this began nothing is counted, as if it had been reset.
class Moves {
 public:
  explicit Moves(const client::Client& api);

  client::Reflector& reflector() { return ledger_; }
  void addTo(Families& families) const;

 private:
  // Of one phase, how long migrations took to come there.
  using Durations = std::map<kinds::MigrationPhase, prometheus::Histogram>;
  struct End {
    kinds::MigrationPhase phase;
    std::string failureClass;

    auto operator<=>(const End&) const = default;
  };

  void see(const Move* before, const Move* after);

  mutable Mutex mutex_;
  std::map<End, int> ended_ GUARDED_BY(mutex_);
  Durations reached_ GUARDED_BY(mutex_);
  prometheus::Histogram outages_;
  Ledger<Move> ledger_;
};

}  // namespace godwit::metrics
