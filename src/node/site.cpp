#include "node/site.hpp"

#include <fmt/format.h>

namespace godwit::node {

Site::Site(std::string nodeName, const client::Client& api, const Clock& time, hypervisor::Hypervisor& domains,
           storage::Images& disks, Movers& moving, Importers& importing, std::string consoles, std::string certificates,
           std::string containers)
    : name(std::move(nodeName)),
      client(api),
      clock(time),
      hypervisor(domains),
      images(disks),
      movers(moving),
      importers(importing),
      consoleDirectory(std::move(consoles)),
      certificateDirectory(std::move(certificates)),
      containerDirectory(std::move(containers)),
      pods(api, {.nameSpace = "", .labelSelector = "", .fieldSelector = "spec.nodeName=" + name}),
      instances(api, {.nameSpace = "", .labelSelector = "", .fieldSelector = "status.nodeName=" + name}),
      volumes(api) {}

Result<kinds::PersistentVolume> volumeOf(const client::Client& client, const object::Key& key) {
  const auto claim = TRY(client.get<kinds::PersistentVolumeClaim>(key));
  if (!claim.bound()) return fail(Code::Unavailable, fmt::format("claim {} is not bound", object::show(key)));
  return client.get<kinds::PersistentVolume>({"", claim.spec.volumeName});
}

std::string consoleFile(const std::string& directory, const std::string& domain) {
  return directory + "/" + domain + ".log";
}

}  // namespace godwit::node
