#include "cli/drain.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cli/follow.hpp"
#include "cli/table.hpp"
#include "kinds/node.hpp"
#include "schema/write.hpp"

namespace godwit::cli {
namespace {

using Way = kinds::Departure::Way;
using Guests = client::Cache<kinds::VirtualMachineInstance>;

std::string_view wordFor(Way way) {
  switch (way) {
    case Way::Moves:
      return "moves";
    case Way::Ends:
      return "ends";
    case Way::Stays:
      return "stays";
  }
  __builtin_unreachable();
}

Result<kinds::Node> findNode(const client::Client& client, const std::string& name) {
  const auto found = TRY(client.find<kinds::Node>({"", name}));
  if (found) return *found;
  std::string known;
  for (const auto& document : TRY(client.list(schema::kind<kinds::Node>)).items)
    known += " " + object::keyOf(document).name;
  return fail(Code::NotFound, fmt::format("there is no node {}; there are:{}", name, known));
}

// What there is to say of a guest that is on its way.
std::string newsOf(const kinds::VirtualMachineInstance* guest, const std::string& node) {
  if (!guest) return "has ended";
  if (guest->status.nodeName != node) return "is on " + guest->status.nodeName;
  const auto* const leaving = kinds::findCondition(guest->status.conditions, kinds::kEvictionRequested);
  if (!leaving) return "waits";
  return leaving->reason == kinds::kMigrationUnderWay ? "moves" : leaving->message;
}

// Those who are still to leave, told of as they change.
class Remaining {
 public:
  explicit Remaining(const std::vector<Leaving>& plan, std::string node) : node_(std::move(node)) {
    for (const Leaving& leaving : plan)
      if (leaving.departure.way != Way::Stays) guests_.insert(leaving.guest);
  }

  // Whether nobody is left.
  bool look(const Guests& guests, const std::function<void(const std::string&)>& say) {
    for (auto key = guests_.begin(); key != guests_.end();) {
      const auto guest = guests.get(*key);
      const std::string news = newsOf(guest.get(), node_);
      if (std::exchange(told_[*key], news) != news) say(fmt::format("{} {}", object::show(*key), news));
      key = !guest || guest->status.nodeName != node_ ? guests_.erase(key) : std::next(key);
    }
    return guests_.empty();
  }

  Error unfinished(const char* why) const {
    std::string names;
    for (const object::Key& key : guests_) names += " " + object::show(key);
    return {Code::Unavailable,
            fmt::format("{} before all have left {}; still there, and still leaving:{}", why, node_, names)};
  }

 private:
  const std::string node_;
  std::set<object::Key> guests_;
  std::map<object::Key, std::string> told_;
};

}  // namespace

Result<std::vector<Leaving>> planDrain(const client::Client& client, const std::string& node) {
  TRY(findNode(client, node));
  std::vector<Leaving> plan;
  const auto listed =
      TRY(client.list(schema::kind<kinds::VirtualMachineInstance>,
                      {.nameSpace = "", .labelSelector = "", .fieldSelector = "status.nodeName=" + node}));
  for (const auto& document : listed.items) {
    const auto guest = schema::view<kinds::VirtualMachineInstance>(document);
    if (kinds::isFinal(guest.status.phase)) continue;
    plan.push_back({guest.metadata.key(), guest.status.godwit.activePod, kinds::departureOf(guest)});
  }
  return plan;
}

std::string describeDrain(const std::string& node, const std::vector<Leaving>& plan, bool asJson) {
  Table table({"VM", "WHAT", "WHY"});
  json::array guests;
  for (const Leaving& leaving : plan) {
    const auto& [way, obstacle] = leaving.departure;
    table.add({object::show(leaving.guest), std::string(wordFor(way)), obstacle});
    guests.push_back({{"namespace", leaving.guest.nameSpace},
                      {"name", leaving.guest.name},
                      {"departure", wordFor(way)},
                      {"obstacle", obstacle}});
  }
  if (asJson) return json::serialize(json::object{{"node", node}, {"guests", std::move(guests)}}) + "\n";
  return plan.empty() ? fmt::format("no guest is on {}\n", node) : table.text();
}

Result<> setCordon(const client::Client& client, const std::string& node, bool cordoned) {
  const kinds::Node before = TRY(findNode(client, node));
  kinds::Node after = before;
  after.spec.unschedulable = cordoned;
  TRY(client.change(before, after, client::Unless::Never));
  return {};
}

// That a guest moves is told by a refusal: its pod is not gone yet.
Result<> evict(const client::Client& client, const std::vector<Leaving>& plan) {
  for (const Leaving& leaving : plan) {
    if (leaving.departure.way == Way::Stays) continue;
    const json::object eviction = {{"apiVersion", "policy/v1"},
                                   {"kind", "Eviction"},
                                   {"metadata", {{"name", leaving.pod}, {"namespace", leaving.guest.nameSpace}}}};
    const auto asked =
        client.post(schema::kind<kinds::Pod>, {leaving.guest.nameSpace, leaving.pod}, "eviction", eviction);
    if (!asked && asked.error().code != Code::Unavailable && asked.error().code != Code::NotFound)
      return fail(within(object::show(leaving.guest), asked.error()));
  }
  return {};
}

Result<> followDrain(const client::Client& client, const std::string& node, const std::vector<Leaving>& plan,
                     Duration patience, const std::function<void(const std::string&)>& say, std::stop_token stop) {
  Guests guests(client);
  Remaining remaining(plan, node);
  switch (follow(
      guests, patience, [&] { return remaining.look(guests, say); }, stop)) {
    case Following::Done:
      return {};
    case Following::TimeIsUp:
      return fail(remaining.unfinished("the time is up"));
    case Following::Interrupted:
      return fail(remaining.unfinished("interrupted"));
  }
  __builtin_unreachable();
}

}  // namespace godwit::cli
