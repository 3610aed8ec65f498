#include "controllers/attempts.hpp"

#include <algorithm>

namespace godwit::controllers {
namespace {

bool hasFailed(const kinds::VirtualMachineInstanceMigration& attempt) {
  return attempt.status.phase == kinds::MigrationPhase::Failed;
}

std::optional<Timestamp> failedAt(const kinds::VirtualMachineInstanceMigration& attempt) {
  return kinds::enteredAt(attempt.status.phaseTransitionTimestamps, schema::nameOf(kinds::MigrationPhase::Failed));
}

}  // namespace

int numberOf(const kinds::VirtualMachineInstanceMigration& attempt) {
  const std::string& name = attempt.metadata.name;
  return std::atoi(name.substr(name.rfind('-') + 1).c_str());
}

void sortByNumber(Attempts& attempts) {
  std::sort(attempts.begin(), attempts.end(),
            [](const auto& left, const auto& right) { return numberOf(*left) < numberOf(*right); });
}

int nextNumber(const Attempts& sorted) { return sorted.empty() ? 1 : numberOf(*sorted.back()) + 1; }

Failures failuresAtTheEnd(const Attempts& sorted, Timestamp now) {
  Failures failures;
  for (auto last = sorted.rbegin(); last != sorted.rend() && hasFailed(**last); ++last) {
    if (failures.count++ > 0) continue;
    const auto& extra = (*last)->status.godwit;
    failures.message = extra.message;
    failures.failureClass = extra.failure ? extra.failure->failureClass : "";
    failures.reason = extra.failure ? extra.failure->reason : "";
    failures.sinceLast = now - failedAt(**last).value_or(now);
  }
  return failures;
}

Result<> number(const World& world, const Attempts& sorted, bool another) {
  if (sorted.empty()) return {};
  const kinds::VirtualMachineInstanceMigration& last = *sorted.back();
  auto after = last;
  const auto* previous = sorted.size() > 1 ? sorted.end()[-2].get() : nullptr;
  after.status.godwit.attempt = previous && hasFailed(*previous) ? previous->status.godwit.attempt + 1 : 1;
  const int failures = failuresAtTheEnd(sorted, world.clock.now()).count;
  if (another)
    after.status.godwit.nextAttempt = failedAt(last).value_or(world.clock.now()) +
                                      std::chrono::duration_cast<Timestamp::duration>(patience(failures));
  if (after == last) return {};
  TRY(world.client.changeStatus(last, after, client::Unless::Never));
  return {};
}

}  // namespace godwit::controllers
