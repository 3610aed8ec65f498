#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "kinds/virtual_machine.hpp"
#include "object/document.hpp"

// Harvester's way to ask for a move: `targetVolume` beside a claim in an annotation of the VM. The VM's spec is made to
// name the target, with the strategy Migration; when the guest uses it, the list describes it and the strategy goes.
namespace godwit::controllers::target_volume {

struct Observed {
  std::optional<kinds::VirtualMachineInstanceSpec> guest = {};  // what it uses, if there is one
  bool runs = false;
  bool onTheWay = false;                                             // volumes of the VM are, as its status says
  std::map<std::string, kinds::PersistentVolumeClaim> targets = {};  // those that exist, by name
  std::set<std::string> ofDataVolumes = {};                          // targets that a DataVolume of their name owns
};

// The targets that the VM's list names; none when it cannot be read.
std::set<std::string> targetsOf(const object::Document& machine);

// What the VM is to become; itself when nothing is to be done.
object::Document decide(const object::Document& machine, const Observed& observed);

}  // namespace godwit::controllers::target_volume
