#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinds/migration.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"

// Where one migration lets the guest go, beside what the VM itself asks for: both must hold.
namespace godwit::controllers::migration {

using Nodes = std::vector<std::shared_ptr<const kinds::Node>>;

// Adds what the migration asks for to what the pod asks of its node already.
void restrict(kinds::PodSpec& pod, const kinds::MigrationSpec& asked);

// What a node must match for the migration to allow it; nothing when it allows any.
std::optional<kinds::NodeSelector> termsOf(const kinds::MigrationSpec& asked);
bool allows(const kinds::MigrationSpec& asked, const kinds::Node& node);

// Whether the guest may go to this node, of those that the migration allows, or stay there.
bool suits(const kinds::MigrationSpec& asked, const kinds::VirtualMachineInstance& instance, const kinds::Node& node);

// What stands against every node there is, however much room it has.
enum class Obstacle { None, SelectorsCollide, NoNodeMatches, AlreadyThere, ExcludedByMachine };

struct Prospect {
  Obstacle obstacle = Obstacle::None;
  std::string message = {};  // for people: what it is, and what to do about it

  bool operator==(const Prospect&) const = default;
};

Prospect prospectOf(const kinds::MigrationSpec& asked, const kinds::VirtualMachineInstance& instance,
                    const Nodes& nodes);

}  // namespace godwit::controllers::migration
