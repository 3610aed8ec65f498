#include "cli/migrate.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "base/stop_signals.hpp"
#include "bin/commands.hpp"
#include "schema/write.hpp"

namespace godwit::bin {
namespace {

using Migration = kinds::VirtualMachineInstanceMigration;

// On a terminal one line that changes in place; else a line for each phase, as a log has it.
class Display {
 public:
  explicit Display(bool json) : out_(json ? stderr : stdout), terminal_(::isatty(::fileno(out_)) == 1) {}
  ~Display() {
    if (terminal_ && shown_) fmt::print(out_, "\n");
  }

  void show(const Migration& migration) {
    if (!terminal_ && shown_ && migration.status.phase == phase_) return;
    const std::string line = cli::drawProgress(migration);
    fmt::print(out_, "{}", terminal_ ? "\r\033[K" + line : line + "\n");
    std::fflush(out_);
    shown_ = true;
    phase_ = migration.status.phase;
  }

 private:
  std::FILE* const out_;
  const bool terminal_;
  bool shown_ = false;
  kinds::MigrationPhase phase_ = kinds::MigrationPhase::Unset;
};

Result<Migration> migrate(const MigrateOptions& options, std::stop_token stop) {
  const auto transport = TRY(connect(options.cluster));
  const client::Client client(*transport);
  cli::MigrateWish wish{.guest = {options.nameSpace, options.name}, .node = options.node, .options = {}};
  if (!options.bandwidth.empty()) wish.options.emplace().bandwidthPerMigration = options.bandwidth;
  const Migration begun = TRY(cli::beginMigration(client, wish));
  if (!options.wait) return begun;
  Display display(options.json);
  return cli::followMigration(
      client, begun.metadata.key(), std::chrono::seconds(options.timeout),
      [&](const Migration& migration) { display.show(migration); }, stop);
}

}  // namespace

int runMigrateCommand(const MigrateOptions& options) {
  const StopSignals signals;
  const auto migration = migrate(options, signals.token());
  if (!migration) {
    const int code = exitCode(fail(migration.error()));
    return migration.error().code == Code::NotFound || migration.error().code == Code::Invalid ? kUsage : code;
  }
  if (options.json)
    fmt::print("{}\n", json::serialize(schema::write(*migration)));
  else if (!options.wait)
    fmt::print("migration {} has begun\n", object::show(migration->metadata.key()));
  return migration->status.phase == kinds::MigrationPhase::Failed ? 1 : 0;
}

}  // namespace godwit::bin
