#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "kinds/migration.hpp"

// Who may move now, and who waits for what: limits are kept here, before anything is asked of the server.
namespace godwit::controllers::migration {

// How many migrations there may be at a time, from the claim of the instance until their end is on record.
struct Limits {
  std::int64_t inCluster = 0;
  std::int64_t fromNode = 0;  // one whose guest stays where it is counts, too
  std::int64_t toNode = 0;

  bool operator==(const Limits&) const = default;
};

// A node takes as many as may leave one, unless something else is said.
Limits limitsOf(const kinds::MigrationConfiguration& configuration);

// Who goes before whom: the more urgent one, then the older one.
struct Place {
  kinds::MigrationPriority priority = kinds::MigrationPriority::Unset;
  std::optional<Timestamp> created = {};
  object::Key key = {};

  bool operator<(const Place& other) const;
};

Place placeOf(const kinds::VirtualMachineInstanceMigration& migration);

// Counts those under way and keeps the others in order. A turn that was given counts at once, so that caches that lag
// behind cannot let anybody through. Says nothing that the objects do not say: another process begins with those.
class Turns {
 public:
  struct Standing {
    Place place = {};
    std::string source = {};
    std::string target = {};  // another node that it is on its way to
    bool underWay = false;
  };

  // `wake` is called for whoever has got its turn, or another place near the head of its line. Before all else.
  void onTurn(std::function<void(const object::Key&)> wake) { wake_ = std::move(wake); }
  void setLimits(const Limits& limits);

  // Tells of all there are; until then it is nobody's turn. The first call counts.
  bool isOpen() const;
  void open(const std::vector<Standing>& all);

  // Nothing when it is its turn; else where it stands. Whoever has a turn keeps it until leave().
  std::optional<kinds::QueuePlace> askToBegin(const Place& place, const std::string& source);
  // The same for one that is under way and knows where to.
  std::optional<kinds::QueuePlace> askToArrive(const object::Key& key, const std::string& target);
  // It is under way, whoever let it.
  void count(const Standing& standing);
  bool counts(const object::Key& key) const;
  // It has ended, or does not ask any more.
  void leave(const object::Key& key);

 private:
  using Line = std::set<Place>;
  using Lines = std::map<std::string, Line>;  // by node
  using Keys = std::set<object::Key>;
  struct Entry {
    Place place = {};
    std::string source = {};
    std::string target = {};
    bool underWay = false;
    bool arriving = false;  // it has its target, but no turn there yet
  };

  Entry& enlist(const Standing& standing, Keys& concerned) REQUIRES(mutex_);
  void begin(Entry& entry, Keys& concerned) REQUIRES(mutex_);
  void headFor(Entry& entry, const std::string& target, Keys& concerned) REQUIRES(mutex_);
  void strike(const object::Key& key, Keys& concerned) REQUIRES(mutex_);
  void advance(Keys& concerned) REQUIRES(mutex_);
  void noteThoseBehind(const Place& place, Keys& concerned) const REQUIRES(mutex_);
  std::int64_t counted(const std::map<std::string, std::int64_t>& counts, const std::string& node) const
      REQUIRES(mutex_);
  void wakeAll(const Keys& concerned, const object::Key& caller) const;

  std::function<void(const object::Key&)> wake_;
  mutable Mutex mutex_;
  Limits limits_ GUARDED_BY(mutex_) = limitsOf({});
  bool open_ GUARDED_BY(mutex_) = false;
  std::map<object::Key, Entry> entries_ GUARDED_BY(mutex_);
  Line waiting_ GUARDED_BY(mutex_);
  Lines leaving_ GUARDED_BY(mutex_);   // those of waiting_, by their source
  Lines arriving_ GUARDED_BY(mutex_);  // those under way that wait for their target
  std::int64_t underWay_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, std::int64_t> outbound_ GUARDED_BY(mutex_);
  std::map<std::string, std::int64_t> inbound_ GUARDED_BY(mutex_);
};

}  // namespace godwit::controllers::migration
