#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controllers/world.hpp"

// What an instance's volumes mean for where its guest can be.
namespace godwit::controllers::virtual_machine_instance {

// A claim of the instance: whether more nodes than one reach it, if anybody knows.
struct Reach {
  std::string claim;
  std::optional<bool> shared;
};

// Conditions LiveMigratable and StorageLiveMigratable and the method of a move, in KubeVirt's words.
void describeMobility(kinds::VirtualMachineInstanceStatus& status, const std::vector<Reach>& claims, Timestamp now);
Result<> describeMobility(const World& world, kinds::VirtualMachineInstance& instance);

// A claim that comes to a running guest and waits for its first consumer is to be bound where the guest is: what
// a scheduler does for claims of pods.
Result<> chooseNodeForPlugs(const World& world, const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::controllers::virtual_machine_instance
