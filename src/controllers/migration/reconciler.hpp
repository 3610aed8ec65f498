#pragma once

#include <map>
#include <set>

#include "base/mutex.hpp"
#include "control/controller.hpp"
#include "controllers/migration/announce.hpp"
#include "controllers/migration/decide.hpp"
#include "controllers/migration/following.hpp"
#include "controllers/migration/options.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::migration {

// Versions of objects that were written over here. A cache that still has one of them is about to learn better.
class Superseded {
 public:
  void note(const schema::Metadata& before, const schema::Metadata& after);
  bool has(const object::Key& key, const std::string& version);

 private:
  Mutex mutex_;
  std::map<object::Key, std::set<std::string>> versions_ GUARDED_BY(mutex_);
};

class Reconciler : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a migration when it, its instance, or one of its pods changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 protected:
  using Migration = kinds::VirtualMachineInstanceMigration;
  using Instance = kinds::VirtualMachineInstance;

  // The migration, and all that the decision looks at.
  struct Scene {
    std::shared_ptr<const Migration> migration;  // as it is on record
    kinds::MigrationStatus status;               // and as it is to be
    std::vector<Announcement> news;              // of what is not on record yet
    std::shared_ptr<const Instance> instance;
    std::shared_ptr<const kinds::Pod> target;
    std::shared_ptr<const kinds::Pod> mover;
    Resolved resolved;
    std::optional<Following> following;
    Observed observed;
  };

  Result<std::optional<Scene>> look(const object::Key& key) const;
  // One step, of the many that a pass may make. False when what comes next is not known here.
  Result<bool> advance(Scene& scene);
  Result<> describe(Scene& scene) const;
  // Its place among all others, in so far as it needs one.
  Result<std::optional<kinds::QueuePlace>> takeTurn(const Scene& scene) const;
  Result<> note(Scene& scene, const Step& step) const;
  Result<> record(Scene& scene);
  // Whether the scene has come to show what was done.
  Result<> makeTarget(Scene& scene);
  Result<bool> perform(Scene& scene, Duty duty);

  World& world_;

 private:
  void announce(Scene& scene) const;

  bool isOutdated(const Scene& scene);
  Result<> hold(Scene& scene);
  // The migration, and the instance, as this pass has written them.
  void replace(Scene& scene, Migration written);
  void learn(Scene& scene, Instance written);

  Superseded migrations_;
  Superseded instances_;
};

}  // namespace godwit::controllers::migration
