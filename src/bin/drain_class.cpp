#include "cli/drain_class.hpp"

#include <fmt/format.h>

#include "base/stop_signals.hpp"
#include "bin/commands.hpp"

namespace godwit::bin {
namespace {

Result<int> drainClass(const DrainClassOptions& options, std::stop_token stop) {
  const auto transport = TRY(connect(options.cluster));
  const client::Client client(*transport);
  const cli::ClassDrain drain{
      .from = options.from, .to = options.to, .deleteSources = options.deleteSources, .unattached = options.unattached};
  const auto plan = TRY(cli::planClassDrain(client, drain));
  fmt::print("{}", cli::describeClassDrain(drain, plan, options.json));
  std::fflush(stdout);
  if (options.dryRun) return 0;
  const auto begun = TRY(cli::beginClassDrain(client, drain, plan));
  const auto say = [&](const std::string& line) {
    fmt::print(options.json ? stderr : stdout, "{}\n", line);
    std::fflush(stdout);
  };
  return cli::followClassDrain(client, begun, std::chrono::seconds(options.timeout), say, stop);
}

}  // namespace

int runDrainClassCommand(const DrainClassOptions& options) {
  const StopSignals signals;
  const auto failed = drainClass(options, signals.token());
  if (failed) return *failed == 0 ? 0 : 1;
  const int code = exitCode(fail(failed.error()));
  return failed.error().code == Code::NotFound || failed.error().code == Code::Invalid ? kUsage : code;
}

}  // namespace godwit::bin
