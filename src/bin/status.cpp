#include <fmt/format.h>

#include "bin/commands.hpp"
#include "bin/layout.hpp"
#include "cli/status.hpp"
#include "client/kubeconfig.hpp"
#include "http/client.hpp"

namespace godwit::bin {
namespace {

Result<std::string> kubeconfigOf(const StatusOptions& options) {
  if (!options.kubeconfig.empty()) return options.kubeconfig;
  const auto path = Layout{std::filesystem::absolute(options.directory)}.kubeconfig();
  if (std::filesystem::exists(path)) return path.string();
  return fail(Code::NotFound,
              fmt::format("there is no Godwit in {0}; `godwit up --dir {0}` starts one", options.directory));
}

Result<> show(const StatusOptions& options) {
  const std::string kubeconfig = TRY(kubeconfigOf(options));
  const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(kubeconfig))));
  fmt::print("{}", TRY(cli::describeStatus(client::Client(*transport), options.json)));
  return {};
}

}  // namespace

int runStatusCommand(const StatusOptions& options) { return exitCode(show(options)); }

}  // namespace godwit::bin
