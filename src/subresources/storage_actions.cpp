#include "subresources/storage_actions.hpp"

#include <algorithm>

#include "apiserver/media.hpp"
#include "kinds/claim_templates.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/words.hpp"

namespace godwit::subresources {
namespace {

using object::Document;

Result<kinds::ClaimTemplates> templatesIn(const Document& machine) {
  return kinds::readClaimTemplates(object::textAt(machine, {"metadata", "annotations", kinds::words::kClaimTemplates}));
}

// The edit holds only if nobody else has written since the VM was read.
http::Response edit(const Action& action, const Document& machine, const kinds::ClaimTemplates& templates,
                    json::object spec = {}) {
  json::object patch = {{"metadata",
                         {{"resourceVersion", object::textAt(machine, {"metadata", "resourceVersion"})},
                          {"annotations", {{kinds::words::kClaimTemplates, kinds::writeClaimTemplates(templates)}}}}}};
  if (!spec.empty()) patch["spec"] = std::move(spec);
  http::Response edited =
      action.send("PATCH", action.machine(), json::serialize(patch), "application/merge-patch+json");
  return isGood(edited) ? done() : std::move(edited);
}

bool uses(const kinds::VirtualMachineInstanceSpec& spec, const std::string& claim) {
  const auto volumes = spec.allVolumes();
  return std::any_of(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.claim() == claim; });
}

// The volumes with the source's claim in the place of the target's.
json::array putBack(json::array volumes, const std::string& source, const std::string& target) {
  for (json::value& volume : volumes) {
    const auto view = schema::view<kinds::VolumeSpec>(volume);
    if (view.claim() != target) continue;
    volume.get_object().erase("dataVolume");
    json::object reference = {{"claimName", source}};
    if (view.hotpluggable()) reference["hotpluggable"] = true;
    volume.get_object()["persistentVolumeClaim"] = std::move(reference);
  }
  return volumes;
}

}  // namespace

http::Response storageMigration(const Action& action) {
  const auto body = apiserver::documentIn(action.caller, "StorageMigrationInput");
  if (!body) return refusal(body.error().message);
  const std::string source = object::textAt(*body, {"sourceVolume"});
  const std::string target = object::textAt(*body, {"targetVolume"});
  if (source.empty() || target.empty()) return refusal("Parameter `sourceVolume` and `targetVolume` are required");
  if (source == target) return refusal("sourceVolume and targetVolume must be different");
  http::Response found = action.send("GET", action.machine());
  if (!isGood(found)) return found;
  const Document machine = documentOf(found);
  auto templates = templatesIn(machine);
  if (!templates) return refusal(templates.error().message);
  const auto entry =
      std::find_if(templates->begin(), templates->end(), [&](const auto& t) { return t.name() == source; });
  if (entry == templates->end())
    return refusal(fmt::format("source volume {} not found in volumeClaimTemplates annotation", source));
  entry->setTargetVolume(target);
  return edit(action, machine, *templates);
}

http::Response cancelStorageMigration(const Action& action) {
  http::Response found = action.send("GET", action.machine());
  if (!isGood(found)) return found;
  const Document machine = documentOf(found);
  auto templates = templatesIn(machine);
  if (!templates) return refusal(templates.error().message);
  http::Response guest = action.instance();
  if (!isGood(guest) && guest.status != 404) return guest;
  const auto instance = viewOf<kinds::VirtualMachineInstance>(guest);
  bool active = false;
  const json::value* named = object::find(machine, {"spec", "template", "spec", "volumes"});
  json::array volumes = named && named->is_array() ? named->get_array() : json::array();
  for (kinds::ClaimTemplate& entry : *templates) {
    const std::string target = entry.targetVolume();
    if (target.empty()) continue;
    if (isGood(guest) && uses(instance.spec, target))
      return apiserver::refuse(409, "Conflict",
                               fmt::format("the storage migration can no longer be cancelled: the VM uses volume {} "
                                           "already; migrate it back to {} if that is what is wanted",
                                           target, entry.name()));
    active = true;
    volumes = putBack(std::move(volumes), entry.name(), target);
    entry.setTargetVolume("");
  }
  if (!active) return refusal("no active storage migration found");
  return edit(action, machine, *templates,
              {{"updateVolumesStrategy", nullptr}, {"template", {{"spec", {{"volumes", std::move(volumes)}}}}}});
}

}  // namespace godwit::subresources
