#include "node/growing/reconciler.hpp"

#include <algorithm>

#include "kinds/claim_use.hpp"
#include "kinds/expansion.hpp"
#include "kinds/overhead.hpp"
#include "storage/disks.hpp"

namespace godwit::node::growing {
namespace {

using namespace std::chrono_literals;

// What ends the waiting - a move, a start, another node's guest - does not change the volume, so no event tells.
constexpr Duration kLookAgain = 1s;

}  // namespace

Result<control::Again> Reconciler::reconcile(const kinds::PersistentVolume& volume) {
  const Scene scene = TRY(observe(volume));
  const Duty duty = decide(scene.observed);
  TRY(perform(volume, scene, duty));
  const bool done = duty == Duty::Grow || duty == Duty::GrowUnderGuest;
  return done ? control::Again{} : control::Again{.after = kLookAgain};
}

// The volume was read before its users are: a guest that gets its node later is started by one that knows the new
// capacity, and so on a disk of that size.
Result<Reconciler::Scene> Reconciler::observe(const kinds::PersistentVolume& volume) const {
  Scene scene;
  scene.source = TRY(storage::locate(volume));
  scene.observed.growsUnderGuest =
      storage::isImage(scene.source) || scene.source.type == hypervisor::DiskSource::Type::Block;
  const auto& claim = volume.spec.claimRef;
  if (!claim) return scene;
  const auto listed = TRY(site_.client.list(schema::kind<kinds::VirtualMachineInstance>, {claim->nameSpace, "", ""}));
  for (const object::Document& document : listed.items) {
    const auto instance = schema::view<kinds::VirtualMachineInstance>(json::value(document));
    if (!kinds::usesClaim(instance, claim->name)) continue;
    Observed& seen = scene.observed;
    const std::string& node = instance.status.nodeName;
    seen.userMoves = seen.userMoves || instance.moving();
    seen.usedHere = seen.usedHere || node == site_.name;
    seen.usedElsewhere = seen.usedElsewhere || (!node.empty() && node != site_.name);
    if (node == site_.name && !scene.disk)
      scene.disk = TRY(findDisk(kinds::domainName(instance.metadata.key()), scene.source));
    seen.guestSeen = scene.disk.has_value();
  }
  return scene;
}

Result<std::optional<Reconciler::Disk>> Reconciler::findDisk(const std::string& domain,
                                                             const hypervisor::DiskSource& source) const {
  const auto found = site_.hypervisor.describe(domain);
  if (!found && found.error().code == Code::NotFound) return std::nullopt;
  const hypervisor::DomainState guest = TRY(found);
  const auto disk = std::find_if(guest.disks.begin(), guest.disks.end(), [&](const hypervisor::DiskState& candidate) {
    return candidate.source.sameBytes(source);
  });
  if (disk == guest.disks.end()) return std::nullopt;
  return Disk{domain, disk->target};
}

Result<> Reconciler::perform(const kinds::PersistentVolume& volume, const Scene& scene, Duty duty) const {
  const std::int64_t bytes = kinds::roomOn(volume);
  switch (duty) {
    case Duty::Wait:
    case Duty::LeaveToOther:
      return {};
    case Duty::Grow:
      TRY(site_.images.grow(volume, bytes));
      break;
    case Duty::GrowUnderGuest:
      // An image grows with the guest's disk; a device must have grown before.
      if (!storage::isImage(scene.source)) TRY(site_.images.grow(volume, bytes));
      TRY(site_.hypervisor.resize(scene.disk->domain, scene.disk->target, bytes));
      break;
  }
  TRY(site_.client.change(volume, kinds::withSize(volume, bytes)));
  return {};
}

}  // namespace godwit::node::growing
