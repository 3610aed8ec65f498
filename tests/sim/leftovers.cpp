#include <fmt/format.h>

#include "sim/processes.hpp"

// What is still there when nothing should be.
namespace godwit::sim {
namespace {

template <class T>
std::string thoseThatAreThere(const client::Client& people) {
  const auto listed = people.list(schema::kind<T>);
  if (!listed) return listed.error().message;
  std::string text;
  for (const auto& document : listed->items)
    text += fmt::format(" {} {}", schema::kind<T>.name, object::show(object::keyOf(document)));
  return text;
}

}  // namespace

bool Simulation::machineIsGone() const {
  return thoseThatAreThere<kinds::VirtualMachineInstance>(*people_).empty() && fabric_.runningCopies(kDomain) == 0;
}

std::string Simulation::leftovers() const {
  std::string text =
      thoseThatAreThere<kinds::VirtualMachineInstance>(*people_) + thoseThatAreThere<kinds::Pod>(*people_) +
      thoseThatAreThere<kinds::VirtualMachineInstanceMigration>(*people_) +
      thoseThatAreThere<kinds::VolumeMigration>(*people_) + thoseThatAreThere<kinds::PersistentVolumeClaim>(*people_) +
      thoseThatAreThere<kinds::PersistentVolume>(*people_);
  for (const std::string& path : images_) text += " image " + path;
  for (const auto& node : nodes_) {
    if (fabric_.has(node->name, kDomain)) text += " a domain on " + node->name;
    for (const auto& [uid, files] : node->movers.moves)
      if (!files.forgotten) text += fmt::format(" papers of {} on {}", uid, node->name);
  }
  return text;
}

}  // namespace godwit::sim
