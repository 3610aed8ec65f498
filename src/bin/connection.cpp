#include "bin/connection.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "bin/layout.hpp"
#include "client/kubeconfig.hpp"

namespace godwit::bin {
namespace {

namespace fs = std::filesystem;

Result<std::string> kubeconfigOf(const Cluster& cluster) {
  if (!cluster.kubeconfig.empty()) return cluster.kubeconfig;
  if (!cluster.directory.empty()) {
    const auto path = Layout{fs::absolute(cluster.directory)}.kubeconfig();
    if (fs::exists(path)) return path.string();
    return fail(Code::NotFound,
                fmt::format("there is no Godwit in {0}; `godwit up --dir {0}` starts one", cluster.directory));
  }
  if (const char* named = std::getenv("KUBECONFIG"); named && *named) return std::string(named);
  const char* const home = std::getenv("HOME");
  const fs::path usual = fs::path(home ? home : "/") / ".kube" / "config";
  if (fs::exists(usual)) return usual.string();
  return fail(Code::NotFound, "which cluster? Say --dir or --kubeconfig, or set KUBECONFIG");
}

}  // namespace

Result<std::unique_ptr<http::Client>> connect(const Cluster& cluster) {
  return http::Client::create(TRY(client::loadKubeconfig(TRY(kubeconfigOf(cluster)))));
}

}  // namespace godwit::bin
