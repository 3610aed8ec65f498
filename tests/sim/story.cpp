#include "sim/story.hpp"

namespace godwit::sim {
namespace {

bool evacuationEnded(const Simulation& world) {
  const auto machine = world.get<kinds::VirtualMachineInstance>("vm");
  return !machine || machine->status.evacuationNodeName.empty();
}

// What must come to pass; a machine that is about to lose its disks is not waited for so long, and owes nobody
// anything.
bool comesToPass(Simulation& world, const std::function<bool()>& done) {
  for (int i = 0; i < 10; ++i) {
    if (world.runUntil(done, 4'000)) return true;
    if (world.diskIsLeaving()) return true;
  }
  return false;
}

}  // namespace

std::string liveThrough(Simulation& world) {
  world.createClaim("disk-0", "local");
  world.createMachine();
  if (!world.runUntil([&] { return world.machineRuns(); })) return "the machine does not start";
  world.setFaults(true);
  world.becomeCareless();
  world.createClaim("disk-1", "shared");
  world.moveVolume("to-shared", "disk-0", "disk-1", kinds::Mechanism::Auto);
  if (!comesToPass(world, [&] { return ended<kinds::VolumeMigration>(world, "to-shared"); }))
    return "to-shared does not end";
  world.growClaim("disk-1", "2Mi");
  // A guest that is still on a node's own disk has nowhere to go: it waits for a node until the patience
  // of the controller, or of whoever cancels it, is over.
  world.migrate("to-another-node");
  world.runUntil([&] { return ended<kinds::VirtualMachineInstanceMigration>(world, "to-another-node"); }, 8'000);
  world.drainHome();
  world.runUntil([&] { return evacuationEnded(world); }, 4'000);
  world.liftCordons();
  world.createClaim("disk-2", "local", "3Mi");
  world.moveVolume("to-local", "disk-1", "disk-2", kinds::Mechanism::AcrossNodes);
  world.runUntil([&] { return ended<kinds::VolumeMigration>(world, "to-local"); }, 8'000);
  world.createClaim("disk-3", "shared", "3Mi");
  world.editClaim("disk-3");
  world.runUntil([&] { return world.usesClaim("disk-3"); }, 4'000);
  world.setFaults(false);
  world.liftCordons();
  if (!comesToPass(world, [&] { return world.machineRuns(); })) return "the machine does not run in the end";
  world.createClaim("disk-3", "shared", "3Mi");  // what was asked before may have been lost
  world.editClaim("disk-3");
  if (!comesToPass(world, [&] { return world.usesClaim("disk-3"); })) return "the disk does not follow its claim";
  if (!comesToPass(world, [&] { return evacuationEnded(world); })) return "the machine is still to leave its node";
  for (const char* claim : {"disk-1", "disk-2"})
    if (!comesToPass(world, [&] { return world.hasWhatItAsksFor(claim); }))
      return std::string(claim) + " does not grow";
  return "";
}

std::string clearAway(Simulation& world) {
  world.setFaults(true);
  world.deleteMachine();
  if (world.isCareless()) world.deleteTheRest();
  world.runUntil([&] { return world.machineIsGone(); }, 2'000);
  world.setFaults(false);
  world.deleteMachine();
  if (!world.runUntil([&] { return world.machineIsGone(); })) return "the machine does not go";
  world.setFaults(true);
  world.deleteTheRest();
  world.runUntil([&] { return world.leftovers().empty(); }, 2'000);
  world.setFaults(false);
  world.deleteTheRest();
  if (!world.runUntil([&] { return world.leftovers().empty(); })) return "there is still" + world.leftovers();
  return "";
}

std::string wrongWith(Simulation& world) {
  std::string stuck = liveThrough(world);
  if (stuck.empty()) stuck = clearAway(world);
  return world.violation().empty() ? stuck : world.violation();
}

}  // namespace godwit::sim
