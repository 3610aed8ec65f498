#include <fmt/format.h>

#include "bin/commands.hpp"
#include "bin/layout.hpp"
#include "cli/status.hpp"
#include "client/kubeconfig.hpp"
#include "http/client.hpp"

namespace godwit::bin {
namespace {

Result<> show(const StatusOptions& options) {
  const std::string kubeconfig = options.kubeconfig.empty()
                                     ? Layout{std::filesystem::absolute(options.directory)}.kubeconfig().string()
                                     : options.kubeconfig;
  const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(kubeconfig))));
  fmt::print("{}", TRY(cli::describeStatus(client::Client(*transport), options.json)));
  return {};
}

}  // namespace

int runStatusCommand(const StatusOptions& options) { return exitCode(show(options)); }

}  // namespace godwit::bin
