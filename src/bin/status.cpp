#include "cli/status.hpp"

#include <fmt/format.h>

#include "bin/commands.hpp"

namespace godwit::bin {
namespace {

Result<> show(const StatusOptions& options) {
  const auto transport = TRY(connect(options.cluster));
  fmt::print("{}", TRY(cli::describeStatus(client::Client(*transport), options.json)));
  return {};
}

}  // namespace

int runStatusCommand(const StatusOptions& options) { return exitCode(show(options)); }

}  // namespace godwit::bin
