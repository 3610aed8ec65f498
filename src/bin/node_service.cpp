#include "bin/node_service.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/time_format.hpp"
#include "client/client.hpp"
#include "client/kubeconfig.hpp"
#include "http/client.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/words.hpp"

namespace godwit::bin {
namespace {

namespace words = kinds::words;

constexpr const char* kStartedAt = "godwit.io/node-started-at";  // annotation

Result<> touchPods(const client::Client& api, const std::string& node) {
  const std::string now = toRfc3339Micro(SystemClock().now());
  const auto pods = TRY(api.list(schema::kind<kinds::Pod>,
                                 {.nameSpace = "", .labelSelector = "", .fieldSelector = "spec.nodeName=" + node}));
  for (const object::Document& document : pods.items) {
    const json::object patch = {{"metadata", {{"annotations", {{kStartedAt, now}}}}}};
    const auto touched = api.mergePatch(schema::kind<kinds::Pod>, object::keyOf(document), patch);
    if (!touched && touched.error().code != Code::NotFound) return fail(touched.error());
  }
  return {};
}

}  // namespace

Result<> putOutOfService(const Layout& layout, const std::string& name) {
  const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(layout.kubeconfig()))));
  const client::Client api(*transport);
  const auto node = TRY(api.find<kinds::Node>({"", name}));
  if (!node) return {};
  auto after = *node;
  const kinds::Taint dead{.key = std::string(words::kOutOfService), .value = "nodeshutdown", .effect = "NoExecute"};
  auto& taints = after.spec.taints;
  if (std::find(taints.begin(), taints.end(), dead) == taints.end()) taints.push_back(dead);
  const auto tainted = TRY(api.change(*node, after));
  after = tainted;
  kinds::setCondition(after.status.conditions,
                      {.type = "Ready",
                       .status = "False",
                       .reason = "NodeDead",
                       .message = "the first process of the node has ended, and with it all others",
                       .lastTransitionTime = {}},
                      SystemClock().now());
  TRY(api.changeStatus(tainted, after));
  return {};
}

Result<> returnToService(const Layout& layout, const std::string& name) {
  const auto transport = TRY(http::Client::create(TRY(client::loadKubeconfig(layout.kubeconfig()))));
  const client::Client api(*transport);
  const auto node = TRY(api.find<kinds::Node>({"", name}));
  if (!node) return {};
  auto after = *node;
  std::erase_if(after.spec.taints, [](const kinds::Taint& taint) { return taint.key == words::kOutOfService; });
  TRY(api.change(*node, after));
  return touchPods(api, name);
}

}  // namespace godwit::bin
