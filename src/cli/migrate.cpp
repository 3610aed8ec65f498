#include "cli/migrate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "cli/follow.hpp"
#include "kinds/words.hpp"

namespace godwit::cli {
namespace {

using Migration = kinds::VirtualMachineInstanceMigration;

constexpr std::int64_t kBarCells = 24;

std::string mebibytes(std::int64_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20)); }

std::string bar(std::int64_t done, std::int64_t total) {
  const std::int64_t share = total == 0 ? 0 : std::clamp<std::int64_t>(done * kBarCells / total, 0, kBarCells);
  return fmt::format("[{:#<{}}{:.<{}}]", "", share, "", kBarCells - share);
}

std::string amount(std::string_view what, std::int64_t done, std::int64_t total) {
  return total == 0 ? "" : fmt::format("  {} {}/{} MiB", what, mebibytes(done), mebibytes(total));
}

std::string drawMove(const kinds::MoveProgress& progress) {
  const std::int64_t done = progress.disksDone + progress.memoryDone;
  const std::int64_t total = progress.disksTotal + progress.memoryTotal;
  std::string line = bar(done, total) + amount("disks", progress.disksDone, progress.disksTotal) +
                     amount("memory", progress.memoryDone, progress.memoryTotal);
  if (progress.bytesPerSecond > 0) line += fmt::format("  {} MiB/s", mebibytes(progress.bytesPerSecond));
  if (progress.secondsLeft) line += fmt::format("  {} s left", *progress.secondsLeft);
  return progress.advice.empty() ? line : line + "  does not converge: " + progress.advice;
}

std::string drawOutcome(const Migration& migration) {
  const auto& extra = migration.status.godwit;
  if (migration.status.phase == kinds::MigrationPhase::Failed)
    return fmt::format("Failed: {}: {}", extra.reason, extra.message);
  const auto& state = migration.status.migrationState;
  std::string line = bar(1, 1) + (state ? fmt::format("  on {}", state->targetNode) : "");
  if (extra.progress && extra.progress->downtimeMs)
    line += fmt::format(", stood still for {} ms", *extra.progress->downtimeMs);
  return line;
}

}  // namespace

Result<Migration> beginMigration(const client::Client& client, const MigrateWish& wish) {
  if (!TRY(client.find<kinds::VirtualMachineInstance>(wish.guest)))
    return fail(Code::NotFound,
                fmt::format("there is no VMI {}; `kubectl get vmi -A` lists those that run", object::show(wish.guest)));
  Migration migration;
  migration.metadata.nameSpace = wish.guest.nameSpace;
  migration.metadata.generateName = "kubevirt-migrate-vm-";
  migration.spec.vmiName = wish.guest.name;
  migration.spec.options = wish.options;
  if (!wish.node.empty())
    migration.spec.addedNodeSelectorTerm =
        kinds::NodeSelectorTerm{{}, {{"metadata.name", object::Requirement::Operator::In, {wish.node}}}};
  return client.create(migration);
}

std::string drawProgress(const Migration& migration) {
  const auto& status = migration.status;
  if (kinds::isFinal(status.phase)) return drawOutcome(migration);
  if (status.phase == kinds::MigrationPhase::Running && status.godwit.progress)
    return drawMove(*status.godwit.progress);
  if (status.phase == kinds::MigrationPhase::Unset) return bar(0, 1) + "  asked for";
  std::string line = bar(0, 1) + fmt::format("  {}", schema::nameOf(status.phase));
  if (!status.godwit.reason.empty()) line += ": " + status.godwit.reason;
  if (!status.godwit.message.empty()) line += ", " + status.godwit.message;
  return line;
}

Result<Migration> followMigration(const client::Client& client, const object::Key& key, Duration patience,
                                  const std::function<void(const Migration&)>& show, std::stop_token stop) {
  client::Cache<Migration> migrations(
      client, {.nameSpace = key.nameSpace, .labelSelector = "", .fieldSelector = "metadata.name=" + key.name});
  Migration last;
  const auto look = [&] {
    const auto now = migrations.get(key);
    if (!now) return true;
    if (*now != last) show(*now);
    last = *now;
    return kinds::isFinal(now->status.phase);
  };
  const Following following = follow(migrations, patience, look, stop);
  if (following == Following::Done && kinds::isFinal(last.status.phase)) return last;
  if (following == Following::Done)
    return fail(Code::Conflict, fmt::format("migration {} was deleted before its end", object::show(key)));
  return fail(Code::Unavailable,
              fmt::format("{}; migration {} goes on, and `kubectl delete vmim` cancels it",
                          following == Following::TimeIsUp ? "the time is up" : "interrupted", object::show(key)));
}

}  // namespace godwit::cli
