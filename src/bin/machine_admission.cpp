#include "bin/machine_admission.hpp"

#include "kinds/virtual_machine.hpp"
#include "subresources/target_volume_rule.hpp"

namespace godwit::bin {
namespace {

Result<bool> isUsedByAnother(const client::Client& itself, const object::Key& machine, const std::string& claim) {
  const auto listed = TRY(itself.list(schema::kind<kinds::VirtualMachine>,
                                      {.nameSpace = machine.nameSpace, .labelSelector = "", .fieldSelector = ""}));
  for (const object::Document& document : listed.items) {
    const auto other = schema::view<kinds::VirtualMachine>(json::value(document));
    if (other.metadata.name == machine.name) continue;
    for (const kinds::VolumeSpec& volume : other.spec.instance.spec.allVolumes())
      if (volume.claim() == claim) return true;
  }
  return false;
}

}  // namespace

void admitMachines(apiserver::ApiServer& api, const client::Client& itself) {
  api.objects().admitBy(
      api.catalog().at(schema::kind<kinds::VirtualMachine>),
      [&itself](const object::Document& before, const object::Document& after) {
        const object::Key key = object::keyOf(after);
        return subresources::checkTargetVolumes(
            before, after,
            {.findClaim =
                 [&](const std::string& name) {
                   return itself.find<kinds::PersistentVolumeClaim>({key.nameSpace, name});
                 },
             .isUsedByAnother = [&](const std::string& claim) { return isUsedByAnother(itself, key, claim); }});
      });
}

}  // namespace godwit::bin
