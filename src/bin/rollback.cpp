#include "cli/rollback.hpp"

#include <fmt/format.h>

#include "base/stop_signals.hpp"
#include "bin/commands.hpp"
#include "schema/write.hpp"

namespace godwit::bin {
namespace {

using Wish = kinds::VolumeMigration;

Result<Wish> rollBack(const RollbackOptions& options, std::stop_token stop) {
  const auto transport = TRY(connect(options.cluster));
  const client::Client client(*transport);
  const Wish wish = TRY(cli::findRollBack(client, {options.nameSpace, options.name}));
  TRY(cli::askToRollBack(client, wish));
  return cli::followRollBack(client, wish.metadata.key(), std::chrono::seconds(options.timeout), stop);
}

}  // namespace

int runRollbackCommand(const RollbackOptions& options) {
  const StopSignals signals;
  const auto ended = rollBack(options, signals.token());
  if (!ended) {
    const int code = exitCode(fail(ended.error()));
    return ended.error().code == Code::NotFound ? kUsage : code;
  }
  const auto& extra = ended->status.godwit;
  if (options.json)
    fmt::print("{}\n", json::serialize(schema::write(*ended)));
  else
    fmt::print("{}: {}\n", extra.reason, extra.message);
  return ended->status.phase == kinds::VolumeMigrationPhase::Failed ? 0 : 1;
}

}  // namespace godwit::bin
