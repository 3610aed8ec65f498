#include "cli/drain_class.hpp"

#include <map>

#include <fmt/format.h>

#include "cli/follow.hpp"
#include "cli/table.hpp"
#include "kinds/virtual_machine.hpp"
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

struct User {
  enum class State { None, Off, Unsettled, Running };
  std::string name = {};  // of the VM
  State state = State::None;
};

// The claims of the class, each with who uses it.
Result<std::map<object::Key, User>> usersOfClass(const client::Client& client, const std::string& className) {
  std::map<object::Key, User> users;
  for (const auto& document : TRY(client.list(schema::kind<kinds::PersistentVolumeClaim>)).items) {
    const auto claim = schema::view<kinds::PersistentVolumeClaim>(document);
    if (claim.spec.storageClassName == className && !claim.metadata.beingDeleted()) users[claim.metadata.key()];
  }
  const auto note = [&](const schema::Metadata& machine, const kinds::VirtualMachineInstanceSpec& spec,
                        User::State state) {
    for (const kinds::VolumeSpec& volume : spec.allVolumes())
      if (const auto user = users.find({machine.nameSpace, volume.claim()}); user != users.end())
        user->second = {machine.name, state};
  };
  for (const auto& document : TRY(client.list(schema::kind<kinds::VirtualMachine>)).items) {
    const auto machine = schema::view<kinds::VirtualMachine>(document);
    const bool off = machine.status.printableStatus == "Stopped";
    note(machine.metadata, machine.spec.instance.spec, off ? User::State::Off : User::State::Unsettled);
  }
  for (const auto& document : TRY(client.list(schema::kind<kinds::VirtualMachineInstance>)).items) {
    const auto guest = schema::view<kinds::VirtualMachineInstance>(document);
    const bool runs = guest.status.phase == kinds::InstancePhase::Running && !guest.metadata.beingDeleted();
    note(guest.metadata, guest.spec, runs ? User::State::Running : User::State::Unsettled);
  }
  return users;
}

std::string obstacleFor(const User& user, const ClassDrain& drain) {
  switch (user.state) {
    case User::State::None:
      return drain.unattached ? "" : "no VM uses it; --unattached moves it, too";
    case User::State::Unsettled:
      return "the VM is just starting, or ending";
    case User::State::Off:
    case User::State::Running:
      return "";
  }
  __builtin_unreachable();
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
  if (drain.from == drain.to)
    return fail(Code::Invalid, fmt::format("the disks are of class {} already; name another one with --to", drain.to));
  std::map<std::pair<object::Key, std::string>, DisksOfClass> byMachine;  // or by the claim that has none
  for (const auto& [claim, user] : TRY(usersOfClass(client, drain.from))) {
    const object::Key machine = {claim.nameSpace, user.name};
    DisksOfClass& disks = byMachine[{machine, user.name.empty() ? claim.name : ""}];
    disks.machine = machine;
    disks.claims.push_back(claim.name);
    disks.offline = user.state != User::State::Running;
    disks.obstacle = obstacleFor(user, drain);
  }
  std::vector<DisksOfClass> plan;
  for (auto& [machine, disks] : byMachine) plan.push_back(std::move(disks));
  return plan;
}

std::string describeClassDrain(const ClassDrain& drain, const std::vector<DisksOfClass>& plan, bool asJson) {
  Table table({"VM", "CLAIMS", "WHAT", "WHY"});
  json::array machines;
  for (const DisksOfClass& disks : plan) {
    const bool stays = !disks.obstacle.empty();
    const std::string machine = disks.machine.name.empty() ? "-" : disks.machine.name;
    table.add({disks.machine.nameSpace + "/" + machine, fmt::format("{}", fmt::join(disks.claims, ",")),
               stays           ? "stay"
               : disks.offline ? "copy"
                               : "move",
               disks.obstacle});
    machines.push_back({{"namespace", disks.machine.nameSpace},
                        {"name", disks.machine.name},
                        {"claims", json::value_from(disks.claims)},
                        {"offline", disks.offline},
                        {"obstacle", disks.obstacle}});
  }
  if (asJson)
    return json::serialize(json::object{{"from", drain.from}, {"to", drain.to}, {"guests", std::move(machines)}}) +
           "\n";
  return plan.empty() ? fmt::format("no claim is of class {}\n", drain.from) : table.text();
}

Result<std::vector<kinds::VolumeMigration>> beginClassDrain(const client::Client& client, const ClassDrain& drain,
                                                            const std::vector<DisksOfClass>& plan) {
  using enum kinds::SourceReclaimPolicy;
  std::vector<kinds::VolumeMigration> begun;
  for (const DisksOfClass& disks : plan) {
    if (!disks.obstacle.empty()) continue;
    kinds::VolumeMigration wish;
    wish.metadata.nameSpace = disks.machine.nameSpace;
    wish.metadata.generateName =
        fmt::format("drain-{}-{}-", drain.from, disks.machine.name.empty() ? disks.claims.front() : disks.machine.name);
    if (disks.offline) wish.spec.mechanism = kinds::Mechanism::Offline;
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
