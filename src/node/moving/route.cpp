#include "node/moving/route.hpp"

#include <fmt/format.h>

#include "base/cidr.hpp"
#include "kinds/words.hpp"

namespace godwit::node::moving {
namespace {

namespace words = kinds::words;

std::string annotationOf(const kinds::Node& node, std::string_view key) {
  return object::valueOf(node.metadata.annotations, key);
}

bool shareSockets(const kinds::Node& source, const kinds::Node& target) {
  const std::string directory = annotationOf(source, words::kSocketDirectory);
  return !directory.empty() && directory == annotationOf(target, words::kSocketDirectory) &&
         source.status.nodeInfo.bootID == target.status.nodeInfo.bootID;
}

// The first address that a node has, or the first in that network.
Result<std::string> addressOf(const kinds::Node& node, const std::string& network) {
  const auto range = network.empty() ? Result<Cidr>(fail(Code::Invalid, "")) : Cidr::parse(network);
  if (!range && !network.empty())
    return fail(Code::Forbidden, "spec.configuration.migrations.network: " + range.error().message);
  for (const kinds::NodeAddress& known : node.status.addresses)
    if (known.type == "InternalIP" && (!range || range->contains(known.address))) return known.address;
  return fail(Code::Forbidden,
              fmt::format("node {} has no address in the network for migrations, {}", node.metadata.name, network));
}

}  // namespace

Result<Route> routeBetween(const kinds::Node& source, const kinds::Node& target,
                           const kinds::MigrationConfiguration& wishes, const std::string& certificates) {
  if (source.metadata.name == target.metadata.name || shareSockets(source, target))
    return Route{.targetUri = annotationOf(target, words::kHypervisorUri),
                 .socketDirectory = annotationOf(target, words::kSocketDirectory)};
  const std::string uri = annotationOf(target, words::kTransportUri);
  if (uri.empty() || certificates.empty())
    return fail(Code::Forbidden,
                fmt::format("nodes {} and {} are on different machines, and {} has no certificates to prove itself "
                            "with; `godwit node certificate` makes them",
                            source.metadata.name, target.metadata.name, (uri.empty() ? target : source).metadata.name));
  TRY(addressOf(source, wishes.network));
  Route route{.targetUri = uri + "?pkipath=" + certificates, .encrypted = !wishes.disableTLS.value_or(false)};
  route.address = TRY(addressOf(target, wishes.network));
  return route;
}

}  // namespace godwit::node::moving
