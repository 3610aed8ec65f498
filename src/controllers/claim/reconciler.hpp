#pragma once

#include "control/controller.hpp"
#include "controllers/claim/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::claim {

// Binds claims to volumes, has volumes of Godwit's own classes made, and made larger, and keeps claims that are to go
// until nobody uses them.
class Reconciler : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a claim when it, its volume or what its guest does changes, and at all unbound ones when a volume or
  // a class does.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  // The claim, and all that the decision looked at.
  struct Scene {
    std::shared_ptr<const kinds::PersistentVolumeClaim> claim;
    std::string user;  // who keeps it from going
    std::shared_ptr<const kinds::StorageClass> storageClass;
    std::shared_ptr<const kinds::Node> node;                  // chosen for the first consumer
    std::shared_ptr<const kinds::PersistentVolume> volume;    // named, kept, or fitting - in this order
    std::optional<Result<kinds::PersistentVolume>> toBeMade;  // once it is known where
    Observed observed;
  };

  Result<Scene> observe(std::shared_ptr<const kinds::PersistentVolumeClaim> claim) const;
  void observeGrowth(Scene& scene) const;
  void chooseVolume(Scene& scene) const;
  Result<> record(const Scene& scene, const Step& step) const;
  void tell(const Scene& scene, const kinds::PersistentVolumeClaim& after) const;
  // The reason in a sentence; empty where the word says it all.
  static std::string explain(const Scene& scene, const Step& step);
  // As the server knows it: a volume that was made for the claim, just before it, may be late in the cache. The claim
  // is looked at again when it is there.
  Result<bool> isOneKept(const kinds::PersistentVolumeClaim& claim) const;
  Result<> perform(const Scene& scene, Duty duty) const;

  World& world_;
};

}  // namespace godwit::controllers::claim
