#pragma once

#include "http/message.hpp"

namespace godwit::subresources {

// The actions on a VM as Harvester's clients call them: POST /v1/harvester/kubevirt.io.virtualmachines/NAMESPACE/NAME
// with ?action=findMigratableNodes, migrate {"nodeName"}, abortMigration, storageMigration {"sourceVolume",
// "targetVolume"} or cancelStorageMigration; and GET of the VM, which names those that could be taken. Each is put to
// the API behind it as the caller's own request; what is no action goes there as it is.
class HarvesterActions final : public http::Handler {
 public:
  explicit HarvesterActions(http::Handler& api) : api_(api) {}

  http::Response handle(const http::Request& request) override;

 private:
  http::Handler& api_;
};

}  // namespace godwit::subresources
