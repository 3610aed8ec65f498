#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "kinds/volume.hpp"
#include "object/document.hpp"

// What Harvester's webhook holds of `targetVolume`, in its words.
namespace godwit::subresources {

// What the rule asks about other objects of the VM's namespace.
struct Neighbourhood {
  std::function<Result<std::optional<kinds::PersistentVolumeClaim>>(const std::string& name)> findClaim;
  std::function<Result<bool>(const std::string& claim)> isUsedByAnother;  // VM
};

// Invalid says why the VM cannot have the list of claims that it is about to have. One that stays as it was is not
// looked at, nor is a target that the VM's spec names already: it is under way. `before` is empty for a new VM.
Result<> checkTargetVolumes(const object::Document& before, const object::Document& machine,
                            const Neighbourhood& neighbourhood);

}  // namespace godwit::subresources
