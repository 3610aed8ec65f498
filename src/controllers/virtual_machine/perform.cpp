#include "controllers/virtual_machine/perform.hpp"

#include "controllers/claim_names.hpp"
#include "controllers/owner.hpp"
#include "controllers/virtual_machine/describe.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::virtual_machine {
namespace {

const json::array* templatesOf(const kinds::VirtualMachine& machine) {
  return machine.spec.dataVolumeTemplates.if_array();
}

// The object that a template describes, as the machine's own.
object::Document fromTemplate(const object::Document& wanted, schema::Metadata metadata,
                              const kinds::VirtualMachine& machine) {
  object::Document made = wanted;
  metadata.nameSpace = machine.metadata.nameSpace;
  metadata.ownerReferences = {ownerReference(machine)};
  made["metadata"] = schema::write(metadata);
  return made;
}

schema::Metadata metadataIn(const object::Document& wanted) {
  const json::value* metadata = wanted.if_contains("metadata");
  return metadata ? schema::view<schema::Metadata>(*metadata) : schema::Metadata{};
}

std::vector<kinds::MigratedClaim> claimsLeftBehind(const kinds::VirtualMachine& machine) {
  std::vector<kinds::MigratedClaim> claims;
  if (const auto update = volumeUpdateAfter(machine, nullptr))
    for (const kinds::MigratedVolumeStatus& volume : update->volumeMigrationState->migratedVolumes)
      claims.push_back({volume.destinationPVCInfo.claimName, volume.sourcePVCInfo.claimName});
  return claims;
}

}  // namespace

std::vector<std::string> dataVolumeNames(const kinds::VirtualMachine& machine) {
  std::vector<std::string> names;
  if (const json::array* templates = templatesOf(machine))
    for (const json::value& wanted : *templates)
      if (const auto* described = wanted.if_object()) names.push_back(object::textAt(*described, {"metadata", "name"}));
  return names;
}

Result<> turnOn(const World& world, const kinds::VirtualMachine& machine) {
  auto after = machine;
  if (machine.spec.running)
    after.spec.running = true;
  else
    after.spec.runStrategy = "Always";
  TRY(world.client.change(machine, after));
  return {};
}

Result<> makeDataVolumes(const World& world, const kinds::VirtualMachine& machine) {
  const json::array* templates = templatesOf(machine);
  if (!templates) return {};
  for (const json::value& wanted : *templates) {
    if (!wanted.is_object()) continue;
    object::Document described = wanted.get_object();
    described.erase("status");
    TRY(world.client.ensure(schema::kind<kinds::DataVolume>, fromTemplate(described, metadataIn(described), machine)));
  }
  return {};
}

Result<> createInstance(const World& world, const kinds::VirtualMachine& machine, bool paused) {
  const object::Document fresh = TRY(world.client.get(schema::kind<kinds::VirtualMachine>, machine.metadata.key()));
  const json::value* wanted = object::find(fresh, {"spec", "template"});
  if (!wanted || !wanted->is_object()) return fail(Code::Invalid, "spec.template is missing");
  schema::Metadata metadata = metadataIn(wanted->get_object());
  metadata.name = machine.metadata.name;
  metadata.annotations[std::string(kinds::words::kVmGeneration)] =
      std::to_string(schema::view<kinds::VirtualMachine>(fresh).metadata.generation);
  object::Document instance = fromTemplate(wanted->get_object(), metadata, machine);
  json::value& spec = instance["spec"];
  // Volumes that were on their way when the last guest ended are still where they came from.
  renameClaims(spec, claimsLeftBehind(schema::view<kinds::VirtualMachine>(fresh)));
  if (paused && spec.is_object()) spec.get_object()["startStrategy"] = "Paused";
  return world.client.ensure(schema::kind<kinds::VirtualMachineInstance>, std::move(instance));
}

Result<> passOnPlacement(const World& world, const kinds::VirtualMachine& machine,
                         const kinds::VirtualMachineInstance& instance) {
  const kinds::VirtualMachineInstanceSpec& wanted = machine.spec.instance.spec;
  auto after = instance;
  after.spec.nodeSelector = wanted.nodeSelector;
  after.spec.affinity = wanted.affinity;
  after.spec.tolerations = wanted.tolerations;
  TRY(world.client.change(instance, after));
  return {};
}

}  // namespace godwit::controllers::virtual_machine
