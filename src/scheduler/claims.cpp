#include "scheduler/claims.hpp"

#include <algorithm>

#include "kinds/words.hpp"

namespace godwit::scheduler {
namespace {

// What Kubernetes calls the provisioner of classes whose volumes are made by people.
constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";

std::optional<kinds::NodeSelector> reachOf(const kinds::PersistentVolume& volume) {
  return volume.spec.nodeAffinity ? volume.spec.nodeAffinity->required : std::nullopt;
}

}  // namespace

ClaimView viewWithVolume(const kinds::PersistentVolumeClaim& claim, const kinds::PersistentVolume* volume) {
  using State = ClaimView::State;
  ClaimView view{.name = claim.metadata.name, .volume = claim.spec.volumeName};
  view.state = !volume ? State::VolumeMissing : claim.bound() ? State::Bound : State::Binding;
  if (volume) view.reachableFrom = reachOf(*volume);
  return view;
}

ClaimView viewWithoutVolume(const kinds::PersistentVolumeClaim& claim, const kinds::StorageClass* storageClass,
                            std::span<const Volume> volumes) {
  ClaimView view{.name = claim.metadata.name, .state = ClaimView::State::Unbound};
  if (!storageClass || !storageClass->waitsForConsumer()) return view;
  view.state = ClaimView::State::Waiting;
  view.canBeMade = storageClass->provisioner != kNoProvisioner;
  const auto selected = claim.metadata.annotations.find(std::string(kinds::words::kSelectedNode));
  if (selected != claim.metadata.annotations.end()) view.selectedNode = selected->second;
  if (view.canBeMade) return view;
  for (const Volume& volume : volumes)
    if (kinds::offersWhatIsAsked(*volume, claim)) view.freeVolumes.push_back(reachOf(*volume));
  return view;
}

}  // namespace godwit::scheduler
