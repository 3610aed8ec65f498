#include "subresources/target_volume_rule.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "kinds/claim_templates.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/words.hpp"
#include "schema/read.hpp"

namespace godwit::subresources {
namespace {

std::string listIn(const object::Document& machine) {
  return object::textAt(machine, {"metadata", "annotations", kinds::words::kClaimTemplates});
}

Failure refuse(std::string why) {
  const std::string path = fmt::format("metadata.annotations[{}]", kinds::words::kClaimTemplates);
  return fail(Error{Code::Invalid, path + ": " + why, {{path, why}}});
}

bool uses(const kinds::VirtualMachine& machine, const std::string& claim) {
  const auto volumes = machine.spec.instance.spec.allVolumes();
  return std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.claim() == claim; });
}

// What the claim has got or, until it has, asks for.
std::string sizeOf(const kinds::PersistentVolumeClaim& claim) {
  const std::string got = object::valueOf(claim.status.capacity, "storage");
  return got.empty() ? object::valueOf(claim.spec.resources.requests, "storage") : got;
}

Result<> checkSize(const kinds::ClaimTemplate& wish, const kinds::PersistentVolumeClaim& target,
                   const Neighbourhood& neighbourhood) {
  const auto source = TRY(neighbourhood.findClaim(wish.name()));
  const std::string needed = source ? sizeOf(*source) : wish.storage();
  const auto bytes = [](const std::string& quantity) { return parseQuantity(quantity).value_or(0); };
  if (bytes(sizeOf(target)) >= bytes(needed)) return {};
  return refuse(fmt::format("targetVolume {} size ({}) must not be less than source volume {} size ({})",
                            wish.targetVolume(), sizeOf(target), wish.name(), needed));
}

Result<> checkTarget(const kinds::ClaimTemplate& wish, const kinds::VirtualMachine& machine,
                     const Neighbourhood& neighbourhood) {
  const std::string target = wish.targetVolume();
  const std::string shown = object::show({machine.metadata.nameSpace, target});
  if (wish.name().empty()) return refuse("PVC content must not be empty when targetVolume is set");
  if (uses(machine, target)) return {};
  if (!uses(machine, wish.name())) return refuse(fmt::format("PVC {} is not attached to the VM", wish.name()));
  if (machine.status.printableStatus != "Running")
    return refuse("VM must be running to set targetVolume for volume migration");
  const auto claim = TRY(neighbourhood.findClaim(target));
  if (!claim) return refuse(fmt::format("targetVolume PVC {} not found", shown));
  TRY(checkSize(wish, *claim, neighbourhood));
  if (TRY(neighbourhood.isUsedByAnother(target)))
    return refuse(fmt::format("PVC {} is already used by other VM, please use a shareable RWX volume.", shown));
  return {};
}

}  // namespace

Result<> checkTargetVolumes(const object::Document& before, const object::Document& machine,
                            const Neighbourhood& neighbourhood) {
  if (listIn(machine) == listIn(before)) return {};
  const auto templates = kinds::readClaimTemplates(listIn(machine));
  if (!templates) return refuse(templates.error().message);
  const auto view = schema::view<kinds::VirtualMachine>(json::value(machine));
  int targets = 0;
  for (const kinds::ClaimTemplate& one : *templates) {
    if (one.targetVolume().empty() && one.name().empty())
      return refuse("the volumeClaimTemplates annotaion is invalid: PVC name is required");
    targets += one.targetVolume().empty() ? 0 : 1;
  }
  if (targets > 1) return refuse("only one volume migration is allowed at a time");
  for (const kinds::ClaimTemplate& one : *templates)
    if (!one.targetVolume().empty()) TRY(checkTarget(one, view, neighbourhood));
  return {};
}

}  // namespace godwit::subresources
