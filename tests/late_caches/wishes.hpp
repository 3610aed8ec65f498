#pragma once

#include "controllers/volume_migration/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::volume_migration {

// A storage class "fast", and what people wish for that is on claims.
class Wishes : public LateCaches<Reconciler> {
 protected:
  Wishes() {
    kinds::StorageClass fast;
    fast.metadata.name = "fast";
    fast.provisioner = kinds::words::kDirectoryProvisioner;
    (void)client.create(fast).value();
  }

  static schema::Metadata named(const std::string& name) {
    schema::Metadata metadata;
    metadata.nameSpace = "default";
    metadata.name = name;
    return metadata;
  }

  kinds::PersistentVolumeClaim makeClaim(const std::string& name, const std::string& size = "1Gi",
                                         const std::string& volume = "") {
    kinds::PersistentVolumeClaim claim;
    claim.metadata = named(name);
    claim.spec.accessModes = {"ReadWriteOnce"};
    claim.spec.resources.requests = {{"storage", size}};
    claim.spec.volumeName = volume;
    return client.create(claim).value();
  }

  kinds::VirtualMachineInstance makeInstance(const std::string& name, const std::string& claim) {
    kinds::VirtualMachineInstance instance;
    instance.metadata = named(name);
    instance.spec.volumes = {{"root", kinds::ClaimReference{claim}, std::nullopt}};
    instance.status.phase = kinds::InstancePhase::Running;
    return client.create(instance).value();
  }

  void wishFor(kinds::MigratedVolume volume, const std::string& name = "wish",
               kinds::Mechanism mechanism = kinds::Mechanism::Auto) {
    kinds::VolumeMigration wish;
    wish.metadata = named(name);
    wish.spec.migratedVolume = {std::move(volume)};
    wish.spec.mechanism = mechanism;
    ASSERT_TRUE(client.create(wish));
  }
};

}  // namespace godwit::controllers::volume_migration
