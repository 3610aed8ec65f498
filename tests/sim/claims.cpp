#include <algorithm>

#include "sim/simulation.hpp"
#include "storage/disks.hpp"

// Claims as people make them, let them grow, and find them.
namespace godwit::sim {

void Simulation::createClaim(const std::string& name, const std::string& storageClass, const std::string& size) {
  kinds::PersistentVolumeClaim claim;
  claim.metadata.name = name;
  claim.metadata.nameSpace = "default";
  claim.spec.accessModes = {storageClass == "shared" ? "ReadWriteMany" : "ReadWriteOnce"};
  claim.spec.storageClassName = storageClass;
  claim.spec.resources.requests = {{"storage", size}};
  (void)people_->create(claim);
}

void Simulation::growClaim(const std::string& name, const std::string& size) {
  const auto claim = get<kinds::PersistentVolumeClaim>(name);
  if (!claim) return;
  auto after = *claim;
  after.spec.resources.requests["storage"] = size;
  (void)people_->change(*claim, after, client::Unless::Never);
}

void Simulation::becomeCareless() { careless_ = random_.chance(3); }

void Simulation::deleteSomeDisk() {
  if (!exchange_.server) return;
  const schema::Kind& kind =
      random_.chance(2) ? schema::kind<kinds::PersistentVolumeClaim> : schema::kind<kinds::PersistentVolume>;
  const auto listed = people_->list(kind);
  if (!listed || listed->items.empty()) return;
  diskIsLeaving_ = true;
  (void)people_->remove(kind, object::keyOf(listed->items[random_.below(listed->items.size())]));
}

// Under a guest that runs stay its claims, and their volumes.
void Simulation::checkClaims() {
  if (!exchange_.server) return;
  const auto machine = get<kinds::VirtualMachineInstance>("vm");
  if (!machine || machine->status.phase != kinds::InstancePhase::Running) return;
  for (const kinds::VolumeSpec& volume : machine->spec.allVolumes()) {
    const auto claim = get<kinds::PersistentVolumeClaim>(volume.claim());
    if (!claim) return complain("the guest runs, and its claim is gone");
    if (!people_->get<kinds::PersistentVolume>({"", claim->spec.volumeName}))
      return complain("the guest runs, and its volume is gone");
  }
}

bool Simulation::hasWhatItAsksFor(const std::string& name) const {
  const auto claim = get<kinds::PersistentVolumeClaim>(name);
  if (!claim || !claim->bound()) return true;
  if (claim->status.capacity != claim->spec.resources.requests) return false;
  const auto volume = people_->get<kinds::PersistentVolume>({"", claim->spec.volumeName});
  if (!volume) return false;
  const auto disk = storage::locate(*volume);
  return std::all_of(hosts_.begin(), hosts_.end(), [&](const std::string& host) {
    const auto image = fabric_.inspectImage(host, disk->path);
    return !image || image->size == kinds::storageBytes(volume->spec.capacity);
  });
}

}  // namespace godwit::sim
