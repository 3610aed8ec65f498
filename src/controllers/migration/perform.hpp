#pragma once

#include "controllers/migration/options.hpp"
#include "controllers/world.hpp"

// The effects of a migration's phases. Each may be repeated at any time.
namespace godwit::controllers::migration {

using Migration = kinds::VirtualMachineInstanceMigration;
using Instance = kinds::VirtualMachineInstance;

// Puts the finalizer on: from here on the object stays until its work is undone or done.
bool isHeldOnTo(const Migration& migration);
Result<Migration> holdOnTo(const World& world, const Migration& migration);

Result<kinds::Mechanism> mechanismFor(const World& world, const Migration& migration, const Instance& instance);
// What speaks against moving the volumes where the guest is, if they can move nowhere else; empty if nothing.
Result<std::string> objectionToPlace(const World& world, const Migration& migration, const Instance& instance);

// The instance as the server has it, if it belongs to this migration; else nothing.
Result<std::optional<Instance>> heldInstance(const World& world, const Migration& migration);
// Makes this the instance's one migration; a lost race is a Conflict.
Result<Instance> claimInstance(const World& world, const Migration& migration, const Instance& instance);
// By its words: nothing else in the answer of a Kubernetes tells a quota that is used up from a right that is missing.
bool isForQuota(const Error& error);
Result<> createTarget(const World& world, const Migration& migration, const Instance& instance);
struct Terms {
  const kinds::Pod& target;
  const Resolved& resolved;
};
// Tells both nodes who takes part, and what holds.
Result<Instance> handOff(const World& world, const Migration& migration, const Instance& instance, const Terms& terms);
Result<> createMover(const World& world, const Migration& migration, const Instance* instance);
// Says what holds now, to the mover and to people.
Result<> tellOptions(const World& world, const Instance& instance, const kinds::Pod& mover, const Resolved& resolved);
// Puts the wish to cancel on the instance, where people look for it.
Result<> requestAbort(const World& world, const Migration& migration, const Instance* instance);
// Says on a pod of the move that it is not to go on as planned.
Result<> callOff(const World& world, const kinds::Pod& pod, std::string_view why);
// Makes the instance's node, pod and volumes those of the target: all of it in one write. Nothing when it is not this
// migration's any more.
Result<std::optional<Instance>> handOver(const World& world, const Migration& migration);
Result<> cleanUp(const World& world, const Migration& migration);
Result<> giveBack(const World& world, const Migration& migration);
// Deletes all but the last few migrations of the same guest that have ended.
Result<> forgetOldest(const World& world, const Migration& migration);

}  // namespace godwit::controllers::migration
