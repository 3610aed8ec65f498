#include "controllers/migration/pods.hpp"

#include <fmt/format.h>

#include "controllers/launcher_pod.hpp"
#include "controllers/migration/options.hpp"
#include "controllers/migration/restriction.hpp"
#include "controllers/owner.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

namespace words = kinds::words;

void markAsOurs(kinds::Pod& pod, const kinds::VirtualMachineInstanceMigration& migration) {
  pod.metadata.labels[std::string(words::kMigrationJobUid)] = migration.metadata.uid;
  pod.metadata.annotations[std::string(words::kMigrationJobName)] = migration.metadata.name;
}

void keepApart(kinds::Pod& pod, const std::string& instanceUid) {
  if (!pod.spec.affinity) pod.spec.affinity.emplace();
  if (!pod.spec.affinity->podAntiAffinity) pod.spec.affinity->podAntiAffinity.emplace();
  const kinds::LabelQuery siblings{{{std::string(words::kCreatedBy), instanceUid}}, {}};
  pod.spec.affinity->podAntiAffinity->required.push_back({siblings, std::string(words::kHostname)});
}

}  // namespace

std::string targetName(const kinds::VirtualMachineInstanceMigration& migration) {
  return fmt::format("{}-{}-{}", words::kAppLauncher, migration.spec.vmiName, migration.metadata.uid.substr(0, 8));
}

std::string moverName(const kinds::VirtualMachineInstanceMigration& migration) {
  return fmt::format("{}-{}-{}", words::kAppMigration, migration.spec.vmiName, migration.metadata.uid.substr(0, 8));
}

kinds::Pod renderTarget(const kinds::VirtualMachineInstanceMigration& migration,
                        const kinds::VirtualMachineInstance& instance, kinds::Mechanism mechanism) {
  kinds::Pod pod = renderLauncher(instance);
  pod.metadata.name = targetName(migration);
  markAsOurs(pod, migration);
  for (kinds::PodVolume& volume : pod.spec.volumes)
    for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes)
      if (volume.persistentVolumeClaim->claimName == moved.sourceClaim) {
        volume.persistentVolumeClaim->claimName = moved.destinationClaim;
        break;
      }
  if (mechanism == kinds::Mechanism::InPlace) {
    pod.spec.nodeName = instance.status.nodeName;
    return pod;
  }
  keepApart(pod, instance.metadata.uid);
  restrict(pod.spec, migration.spec);
  return pod;
}

kinds::Pod renderMover(const kinds::VirtualMachineInstanceMigration& migration,
                       const kinds::VirtualMachineInstance& instance) {
  kinds::Pod pod;
  pod.metadata.name = moverName(migration);
  pod.metadata.nameSpace = migration.metadata.nameSpace;
  pod.metadata.labels[std::string(words::kApp)] = words::kAppMigration;
  pod.metadata.ownerReferences = {ownerReference(migration)};
  pod.metadata.finalizers = {std::string(words::kNodeFinalizer)};
  markAsOurs(pod, migration);
  pod.metadata.annotations[std::string(words::kMigrationOptions)] =
      writeOptions(instance.status.migrationState->migrationConfiguration.value_or(kinds::MigrationOptions{}));
  pod.spec.nodeName = instance.status.migrationState->sourceNode;
  pod.spec.tolerations = {{.key = std::string(words::kNodeTaint), .op = "Exists", .value = "", .effect = ""}};
  pod.spec.containers = {{.name = "mover", .image = "godwit", .resources = {}}};
  return pod;
}

}  // namespace godwit::controllers::migration
