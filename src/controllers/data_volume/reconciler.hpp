#pragma once

#include "control/controller.hpp"
#include "controllers/data_volume/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::data_volume {

// Makes the claims of DataVolumes, and has them filled.
class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a DataVolume when it, its claim or its pod changes, and at copies that are not made yet when
  // anything changes that they may be waiting for.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  struct Scene {
    std::shared_ptr<const kinds::DataVolume> volume;
    std::shared_ptr<const kinds::PersistentVolumeClaim> claim = {};
    std::shared_ptr<const kinds::StorageClass> storageClass = {};
    std::shared_ptr<const kinds::PersistentVolumeClaim> original = {};  // that is copied
    std::shared_ptr<const kinds::Pod> pod = {};                         // of the present attempt
    std::string problems = {};                                          // with what is asked for
    std::string sourceTrouble = {};                                     // why it cannot be copied yet
    Observed observed = {};
  };

  Result<Scene> observe(std::shared_ptr<const kinds::DataVolume> volume) const;
  Result<> observeClaim(Scene& scene) const;
  Result<> observeOriginal(Scene& scene) const;
  Result<> tellUploader(const Scene& scene) const;
  Result<> record(const Scene& scene, const Step& step) const;
  Result<> perform(const Scene& scene, Duty duty) const;
  // All pods but the one of that name.
  Result<> removePods(const Scene& scene, const std::string& but = "") const;
  Result<> tearDown(const Scene& scene) const;

  World& world_;
};

}  // namespace godwit::controllers::data_volume
