#include "scheduler/view.hpp"

#include "kinds/claim_use.hpp"
#include "scheduler/claims.hpp"
#include "scheduler/terms.hpp"

namespace godwit::scheduler {
namespace {

std::vector<std::string> mountedBy(const kinds::Pod& pod) {
  std::vector<std::string> claims;
  for (const std::string& name : kinds::claimNamesOf(pod))
    claims.push_back(object::show({pod.metadata.nameSpace, name}));
  return claims;
}

std::vector<std::string> keptFor(const kinds::PersistentVolume& volume) {
  const auto& claim = volume.spec.claimRef;
  if (!claim) return {};
  return {object::show({claim->nameSpace, claim->name})};
}

bool isOf(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim) {
  const std::string& uid = volume.spec.claimRef->uid;
  return uid.empty() || uid == claim.metadata.uid;
}

std::vector<std::string> classOfFree(const kinds::PersistentVolume& volume) {
  if (volume.spec.claimRef) return {};
  return {volume.spec.storageClassName};
}

std::vector<std::string> waitsFor(const kinds::Pod& pod) {
  if (!isWaiting(pod)) return {};
  std::vector<std::string> what = {index::kForAnything};
  if (seeksCompany(pod)) what.push_back(index::kForCompany);
  if (!kinds::claimNamesOf(pod).empty()) what.push_back(index::kForClaims);
  return what;
}

}  // namespace

View::View(const client::Client& api, const Clock& time, Random& random)
    : client(api),
      clock(time),
      recorder(api, time, random),
      nodes(api),
      pods(api),
      volumes(api),
      claims(api),
      classes(api) {
  pods.addIndex(index::kWaiting, waitsFor);
  pods.addIndex(index::kByClaim, mountedBy);
  volumes.addIndex(index::kByClaim, keptFor);
  volumes.addIndex(index::kFreeByClass, classOfFree);
  nodes.onChange([this](const kinds::Node* before, const kinds::Node* after) {
    roster.seeNode((after ? after : before)->metadata.name, after);
  });
  pods.onChange([this](const kinds::Pod* before, const kinds::Pod* after) {
    const object::Key key = (after ? after : before)->metadata.key();
    roster.seePod(key, pods.get(key));
  });
}

std::vector<client::Reflector*> View::caches() { return {&nodes, &pods, &volumes, &claims, &classes}; }

std::vector<ClaimView> View::claimsOf(const kinds::Pod& pod) const {
  std::vector<ClaimView> found;
  for (const std::string& name : kinds::claimNamesOf(pod)) found.push_back(viewOfClaim({pod.metadata.nameSpace, name}));
  return found;
}

ClaimView View::viewOfClaim(const object::Key& key) const {
  const auto claim = claims.get(key);
  if (!claim) return {.name = key.name, .state = ClaimView::State::Missing};
  if (claim->metadata.beingDeleted()) return {.name = key.name, .state = ClaimView::State::BeingDeleted};
  if (!claim->spec.volumeName.empty()) return viewWithVolume(*claim, volumes.get({"", claim->spec.volumeName}).get());
  for (const auto& volume : volumes.by(index::kByClaim, object::show(key)))
    if (isOf(*volume, *claim)) return viewWithVolume(*claim, volume.get());
  const std::string& storageClass = claim->spec.storageClassName;
  ClaimView view =
      viewWithoutVolume(*claim, classes.get({"", storageClass}).get(), volumes.by(index::kFreeByClass, storageClass));
  // A node that is gone binds nobody: the claim has to be told of another.
  if (!nodes.get({"", view.selectedNode})) view.selectedNode.clear();
  return view;
}

}  // namespace godwit::scheduler
