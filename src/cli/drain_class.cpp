#include "cli/drain_class.hpp"

#include <map>

#include <fmt/format.h>

#include "cli/follow.hpp"
#include "cli/table.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"

namespace godwit::cli {
namespace {

using Wishes = client::Cache<kinds::VolumeMigration>;

Result<> checkClass(const client::Client& client, const std::string& name) {
  if (TRY(client.find<kinds::StorageClass>({"", name}))) return {};
  std::string known;
  for (const auto& document : TRY(client.list(schema::kind<kinds::StorageClass>)).items)
    known += " " + object::keyOf(document).name;
  return fail(Code::NotFound, fmt::format("there is no storage class {}; there are:{}", name, known));
}

// The claims of the class, each with the running guest that uses it; an empty name where none does.
Result<std::map<object::Key, std::string>> usersOfClass(const client::Client& client, const std::string& className) {
  std::map<object::Key, std::string> users;
  for (const auto& document : TRY(client.list(schema::kind<kinds::PersistentVolumeClaim>)).items) {
    const auto claim = schema::view<kinds::PersistentVolumeClaim>(document);
    if (claim.spec.storageClassName == className && !claim.metadata.beingDeleted()) users[claim.metadata.key()];
  }
  for (const auto& document : TRY(client.list(schema::kind<kinds::VirtualMachineInstance>)).items) {
    const auto guest = schema::view<kinds::VirtualMachineInstance>(document);
    if (guest.status.phase != kinds::InstancePhase::Running) continue;
    for (const kinds::VolumeSpec& volume : guest.spec.allVolumes())
      if (const auto user = users.find({guest.metadata.nameSpace, volume.claim()}); user != users.end())
        user->second = guest.metadata.name;
  }
  return users;
}

std::string newsOf(const kinds::VolumeMigration* wish) {
  if (!wish) return "was deleted";
  const auto& extra = wish->status.godwit;
  const std::string phase(schema::nameOf(wish->status.phase));
  if (wish->status.phase == kinds::VolumeMigrationPhase::Failed)
    return fmt::format("{}: {}: {}", phase, extra.reason, extra.message);
  return phase.empty() ? "asked for" : phase;
}

// Those that have not ended, told of as they change.
class Unfinished {
 public:
  explicit Unfinished(const std::vector<kinds::VolumeMigration>& begun) {
    for (const auto& wish : begun) wishes_[wish.metadata.key()];
  }

  // Whether all have ended.
  bool look(const Wishes& wishes, const std::function<void(const std::string&)>& say) {
    for (auto one = wishes_.begin(); one != wishes_.end();) {
      const auto wish = wishes.get(one->first);
      const std::string news = newsOf(wish.get());
      if (std::exchange(one->second, news) != news) say(fmt::format("{} {}", object::show(one->first), news));
      const bool over = !wish || kinds::isFinal(wish->status.phase);
      if (over && !(wish && wish->status.phase == kinds::VolumeMigrationPhase::Succeeded)) ++failed_;
      one = over ? wishes_.erase(one) : std::next(one);
    }
    return wishes_.empty();
  }

  int failed() const { return failed_; }
  Error unfinished(const char* why) const {
    std::string names;
    for (const auto& [key, news] : wishes_) names += " " + object::show(key);
    return {Code::Unavailable, fmt::format("{} before all have moved; these go on:{}", why, names)};
  }

 private:
  std::map<object::Key, std::string> wishes_;  // with what was said of each
  int failed_ = 0;
};

}  // namespace

Result<std::vector<DisksOfClass>> planClassDrain(const client::Client& client, const ClassDrain& drain) {
  TRY(checkClass(client, drain.from));
  TRY(checkClass(client, drain.to));
  std::map<object::Key, DisksOfClass> byGuest;
  for (const auto& [claim, guest] : TRY(usersOfClass(client, drain.from))) {
    DisksOfClass& disks = byGuest[{claim.nameSpace, guest}];
    disks.guest = {claim.nameSpace, guest};
    disks.claims.push_back(claim.name);
    if (guest.empty()) disks.obstacle = "no running VM uses them";
  }
  std::vector<DisksOfClass> plan;
  for (auto& [guest, disks] : byGuest) plan.push_back(std::move(disks));
  return plan;
}

std::string describeClassDrain(const ClassDrain& drain, const std::vector<DisksOfClass>& plan, bool asJson) {
  Table table({"VM", "CLAIMS", "WHAT", "WHY"});
  json::array guests;
  for (const DisksOfClass& disks : plan) {
    const bool stays = !disks.obstacle.empty();
    const std::string claims = fmt::format("{}", fmt::join(disks.claims, ","));
    table.add({stays ? disks.guest.nameSpace + "/-" : object::show(disks.guest), claims, stays ? "stay" : "move",
               disks.obstacle});
    guests.push_back({{"namespace", disks.guest.nameSpace},
                      {"name", disks.guest.name},
                      {"claims", json::value_from(disks.claims)},
                      {"obstacle", disks.obstacle}});
  }
  if (asJson)
    return json::serialize(json::object{{"from", drain.from}, {"to", drain.to}, {"guests", std::move(guests)}}) + "\n";
  return plan.empty() ? fmt::format("no claim is of class {}\n", drain.from) : table.text();
}

Result<std::vector<kinds::VolumeMigration>> beginClassDrain(const client::Client& client, const ClassDrain& drain,
                                                            const std::vector<DisksOfClass>& plan) {
  using enum kinds::SourceReclaimPolicy;
  std::vector<kinds::VolumeMigration> begun;
  for (const DisksOfClass& disks : plan) {
    if (!disks.obstacle.empty()) continue;
    kinds::VolumeMigration wish;
    wish.metadata.nameSpace = disks.guest.nameSpace;
    wish.metadata.generateName = fmt::format("drain-{}-{}-", drain.from, disks.guest.name);
    for (const std::string& claim : disks.claims)
      wish.spec.migratedVolume.push_back({claim, "", drain.deleteSources ? Delete : Retain, drain.to});
    begun.push_back(TRY(client.create(wish)));
  }
  return begun;
}

Result<int> followClassDrain(const client::Client& client, const std::vector<kinds::VolumeMigration>& begun,
                             Duration patience, const std::function<void(const std::string&)>& say,
                             std::stop_token stop) {
  Wishes wishes(client);
  Unfinished unfinished(begun);
  switch (follow(
      wishes, patience, [&] { return unfinished.look(wishes, say); }, stop)) {
    case Following::Done:
      return unfinished.failed();
    case Following::TimeIsUp:
      return fail(unfinished.unfinished("the time is up"));
    case Following::Interrupted:
      return fail(unfinished.unfinished("interrupted"));
  }
  __builtin_unreachable();
}

}  // namespace godwit::cli
