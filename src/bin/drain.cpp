#include "cli/drain.hpp"

#include <fmt/format.h>

#include "base/stop_signals.hpp"
#include "bin/commands.hpp"

namespace godwit::bin {
namespace {

bool someStay(const std::vector<cli::Leaving>& plan) {
  for (const cli::Leaving& leaving : plan)
    if (leaving.departure.way == kinds::Departure::Way::Stays) return true;
  return false;
}

// The plan is told before anything is touched; and nothing is, when it leaves somebody behind who was not meant to be.
Result<> drain(const client::Client& client, const DrainOptions& options, std::stop_token stop) {
  const auto plan = TRY(cli::planDrain(client, options.node));
  fmt::print("{}", cli::describeDrain(options.node, plan, options.json));
  std::fflush(stdout);
  if (someStay(plan) && !options.partial)
    return fail(
        Code::Conflict,
        fmt::format("not every guest can leave {}, and none was asked to: move those that stay to other storage or "
                    "end them, or drain the others with --partial",
                    options.node));
  if (options.dryRun) return {};
  TRY(cli::setCordon(client, options.node, true));
  TRY(cli::evict(client, plan));
  const auto say = [&](const std::string& line) {
    fmt::print(options.json ? stderr : stdout, "{}\n", line);
    std::fflush(stdout);
  };
  TRY(cli::followDrain(client, options.node, plan, std::chrono::seconds(options.timeout), say, stop));
  say(options.node + (someStay(plan) ? " is drained of all that can leave" : " is drained"));
  return {};
}

Result<> act(const DrainOptions& options, std::stop_token stop) {
  const auto transport = TRY(connect(options.cluster));
  const client::Client client(*transport);
  if (!options.cancel) return drain(client, options, stop);
  TRY(cli::setCordon(client, options.node, false));
  fmt::print("{} takes guests again; moves away from it that can still be stopped are\n", options.node);
  return {};
}

}  // namespace

int runDrainCommand(const DrainOptions& options) {
  const StopSignals signals;
  const auto done = act(options, signals.token());
  const int code = exitCode(done);
  return !done && done.error().code == Code::NotFound ? kUsage : code;
}

}  // namespace godwit::bin
