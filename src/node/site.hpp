#pragma once

#include <string>

#include "base/clock.hpp"
#include "client/cache.hpp"
#include "client/client.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/pod.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "node/importers.hpp"
#include "node/movers.hpp"
#include "storage/images.hpp"

namespace godwit::node {

// What one node is, sees and can do.
struct Site {
  Site(std::string nodeName, const client::Client& api, const Clock& time, hypervisor::Hypervisor& domains,
       storage::Images& disks, Movers& moving, Importers& importing, std::string consoles,
       std::string certificates = "", std::string containers = "");

  std::vector<client::Reflector*> caches() { return {&pods, &instances, &volumes}; }

  const std::string name;
  const client::Client& client;
  const Clock& clock;
  hypervisor::Hypervisor& hypervisor;
  storage::Images& images;
  Movers& movers;
  Importers& importers;
  const std::string consoleDirectory;
  const std::string certificateDirectory;  // what it proves itself to other machines with; empty: nothing
  const std::string containerDirectory;    // disks out of container images

  client::Cache<kinds::Pod> pods;                          // bound to this node
  client::Cache<kinds::VirtualMachineInstance> instances;  // that this node is to run
  client::Cache<kinds::PersistentVolume> volumes;
};

// The volume behind a claim, as the server has it. Invalid while the claim is not bound.
Result<kinds::PersistentVolume> volumeOf(const client::Client& client, const object::Key& claim);

// Where the console of a domain is kept, in a node's console directory.
std::string consoleFile(const std::string& directory, const std::string& domain);

}  // namespace godwit::node
