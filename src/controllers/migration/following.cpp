#include "controllers/migration/following.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "controllers/claim_names.hpp"
#include "kinds/claim_templates.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

namespace words = kinds::words;

const json::array* arrayIn(const object::Document& document, std::initializer_list<std::string_view> path) {
  const json::value* found = object::find(document, path);
  return found ? found->if_array() : nullptr;
}

bool isTemplateOf(const json::value& described, const std::vector<kinds::MigratedClaim>& moved) {
  const json::object* wanted = described.if_object();
  const std::string name = wanted ? object::textAt(*wanted, {"metadata", "name"}) : "";
  return std::any_of(moved.begin(), moved.end(), [&](const auto& move) { return move.sourceClaim == name; });
}

void dropTemplates(json::object& spec, const std::vector<kinds::MigratedClaim>& moved) {
  json::value* templates = spec.if_contains("dataVolumeTemplates");
  if (!templates || !templates->is_array()) return;
  json::array left;
  for (const json::value& described : templates->get_array())
    if (!isTemplateOf(described, moved)) left.push_back(described);
  *templates = std::move(left);
}

// A list that cannot be read is not ours to mend.
void describeAnew(json::object& annotations, const std::vector<kinds::MigratedClaim>& moved,
                  const Claims& destinations) {
  json::value* list = annotations.if_contains(words::kClaimTemplates);
  if (!list || !list->is_string()) return;
  auto templates = kinds::readClaimTemplates(list->get_string().c_str());
  if (!templates) return;
  for (kinds::ClaimTemplate& one : *templates)
    for (const kinds::MigratedClaim& move : moved)
      if (const auto claim = destinations.find(move.destinationClaim);
          one.name() == move.sourceClaim && claim != destinations.end()) {
        one.become(claim->second);
        break;
      }
  *list = kinds::writeClaimTemplates(*templates);
}

// Elements of an array that keeps its length.
void addReplacements(json::array& patch, const Following& following, std::initializer_list<std::string_view> path) {
  const json::array* before = arrayIn(following.before, path);
  const json::array* after = arrayIn(following.after, path);
  for (std::size_t i = 0; before && i < before->size(); ++i)
    if ((*before)[i] != (*after)[i])
      patch.push_back(
          {{"op", "replace"}, {"path", fmt::format("/{}/{}", fmt::join(path, "/"), i)}, {"value", (*after)[i]}});
}

// From the last to the first, so that each index is still true when its turn comes.
void addRemovals(json::array& patch, const Following& following) {
  const json::array* before = arrayIn(following.before, {"spec", "dataVolumeTemplates"});
  const json::array* after = arrayIn(following.after, {"spec", "dataVolumeTemplates"});
  for (std::size_t i = before ? before->size() : 0; i-- > 0;)
    if (std::find(after->begin(), after->end(), (*before)[i]) == after->end())
      patch.push_back({{"op", "remove"}, {"path", fmt::format("/spec/dataVolumeTemplates/{}", i)}});
}

}  // namespace

object::Document afterMove(const object::Document& machine, const std::vector<kinds::MigratedClaim>& moved,
                           const Claims& destinations) {
  object::Document after = machine;
  json::value* spec = after.if_contains("spec");
  json::value* instance = spec && spec->is_object() ? spec->get_object().if_contains("template") : nullptr;
  if (!instance || !instance->is_object()) return after;
  renameClaims(instance->get_object()["spec"], moved);
  dropTemplates(spec->get_object(), moved);
  json::value* metadata = after.if_contains("metadata");
  json::value* annotations = metadata ? metadata->as_object().if_contains("annotations") : nullptr;
  if (annotations && annotations->is_object()) describeAnew(annotations->get_object(), moved, destinations);
  return after;
}

Result<std::optional<Following>> followingOf(const World& world,
                                             const kinds::VirtualMachineInstanceMigration& migration) {
  const std::string& nameSpace = migration.metadata.nameSpace;
  const auto fetched = world.client.get(schema::kind<kinds::VirtualMachine>, {nameSpace, migration.spec.vmiName});
  if (!fetched && fetched.error().code == Code::NotFound) return std::nullopt;
  if (!fetched) return fail(fetched.error());
  const auto machine = schema::view<kinds::VirtualMachine>(*fetched);
  const bool askedItself = migration.metadata.labels.contains(std::string(words::kVolumeUpdate));
  if (askedItself && machine.spec.updateVolumesStrategy == kinds::update_strategy::kMigration) return std::nullopt;
  if (!usesSources(machine.spec.instance.spec.allVolumes(), migration.spec.migratedVolumes)) return std::nullopt;
  return TRY(followingOf(world, *fetched, migration.spec.migratedVolumes));
}

Result<Following> followingOf(const World& world, const object::Document& machine,
                              const std::vector<kinds::MigratedClaim>& moved) {
  Claims destinations;
  for (const kinds::MigratedClaim& move : moved)
    if (auto claim = TRY(
            world.client.find<kinds::PersistentVolumeClaim>({object::keyOf(machine).nameSpace, move.destinationClaim})))
      destinations.emplace(move.destinationClaim, std::move(*claim));
  return Following{machine, afterMove(machine, moved, destinations)};
}

json::array patchOf(const Following& following) {
  json::array patch;
  addReplacements(patch, following, {"spec", "template", "spec", "volumes"});
  addReplacements(patch, following, {"spec", "template", "spec", "domain", "devices", "disks"});
  addRemovals(patch, following);
  const auto list = [](const object::Document& machine) {
    return object::textAt(machine, {"metadata", "annotations", words::kClaimTemplates});
  };
  if (list(following.before) != list(following.after))
    patch.push_back({{"op", "replace"},
                     {"path", "/metadata/annotations/harvesterhci.io~1volumeClaimTemplates"},
                     {"value", list(following.after)}});
  return patch;
}

Result<bool> hasNoted(const World& world, const kinds::VirtualMachine& machine,
                      const std::vector<kinds::MigratedClaim>& moved) {
  auto after = machine;
  for (kinds::VolumeInUse& volume : after.status.godwit.volumes)
    if (const auto move = std::find_if(moved.begin(), moved.end(),
                                       [&](const auto& one) { return one.sourceClaim == volume.claimName; });
        move != moved.end())
      volume.claimName = move->destinationClaim;
  if (after == machine) return true;
  TRY(world.client.changeStatus(machine, after));
  return false;
}

Result<> follow(const World& world, const Following& following) {
  json::object patch = object::mergePatchBetween(following.before, following.after);
  if (patch.empty()) return {};
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  metadata.get_object()["resourceVersion"] = object::textAt(following.before, {"metadata", "resourceVersion"});
  TRY(world.client.mergePatch(schema::kind<kinds::VirtualMachine>, object::keyOf(following.before), patch));
  return {};
}

}  // namespace godwit::controllers::migration
