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
