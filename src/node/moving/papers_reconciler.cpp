#include "node/moving/papers_reconciler.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kinds/migration.hpp"
#include "kinds/words.hpp"

namespace godwit::node::moving {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

const object::Key kAll{"", "papers"};
// No event tells that a mover without a pod has ended, or a migration whose mover's pod is gone.
constexpr Duration kLookAgain = 10s;

// Empty when the pod is no mover.
std::string moveOf(const kinds::Pod& pod) {
  if (object::valueOf(pod.metadata.labels, words::kApp) != words::kAppMigration) return "";
  return object::valueOf(pod.metadata.labels, words::kMigrationJobUid);
}

// Those whose pods are known here: the end of such a pod tells when to look again.
std::set<std::string> movesOf(const Site& site) {
  std::set<std::string> moves;
  for (const auto& pod : site.pods.list()) moves.insert(moveOf(*pod));
  return moves;
}

}  // namespace

void PapersReconciler::listen(Site& site, control::Controller& controller) {
  controller.enqueue(kAll);
  site.pods.onChange([&](const kinds::Pod* before, const kinds::Pod* after) {
    if (!after && !moveOf(*before).empty()) controller.enqueue(kAll);
  });
}

// The papers are listed before anybody is asked about them: who gives new orders has seen the pod, so it is on record.
Result<control::Again> PapersReconciler::reconcile(const object::Key&) {
  const auto papers = TRY(site_.movers.all());
  const auto known = movesOf(site_);
  bool settled = true;
  for (const std::string& move : papers) {
    if (known.contains(move)) continue;
    const bool needed = TRY(isAwaited(move)) || TRY(site_.movers.state(move)).alive;
    if (!needed) TRY(site_.movers.forget(move));
    settled = settled && !needed;
  }
  return settled ? control::Again{} : control::Again{.after = kLookAgain};
}

// A mover that is to go on with a move must find its journal, so papers also stay until the migration has ended.
Result<bool> PapersReconciler::isAwaited(const std::string& move) const {
  const auto pods = TRY(site_.client.list(
      schema::kind<kinds::Pod>,
      {.nameSpace = "",
       .labelSelector = fmt::format("{}={},{}={}", words::kApp, words::kAppMigration, words::kMigrationJobUid, move),
       .fieldSelector = ""}));
  if (!pods.items.empty()) return true;
  const auto migrations = TRY(site_.client.list(schema::kind<kinds::VirtualMachineInstanceMigration>));
  return std::any_of(migrations.items.begin(), migrations.items.end(), [&](const object::Document& document) {
    const auto migration = schema::view<kinds::VirtualMachineInstanceMigration>(document);
    return migration.metadata.uid == move && !kinds::isFinal(migration.status.phase);
  });
}

}  // namespace godwit::node::moving
