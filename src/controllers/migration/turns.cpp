#include "controllers/migration/turns.hpp"

#include <tuple>

#include <fmt/format.h>

#include "kinds/kubevirt.hpp"

namespace godwit::controllers::migration {
namespace {

// So many at the head of the line hear of every change of their place; those behind them when something else makes
// them look. A line of thousands would be written anew for each that leaves it.
constexpr int kToldOfEveryStep = 20;
constexpr std::size_t kMostNamed = 3;

using Line = std::set<Place>;
using Lines = std::map<std::string, Line>;

kinds::QueuePlace describe(const Line& line, const Place& place, std::string limit) {
  kinds::QueuePlace found{.position = 1, .ahead = {}, .limit = std::move(limit)};
  for (auto other = line.begin(); other != line.end() && *other < place; ++other, ++found.position)
    if (found.ahead.size() < kMostNamed) found.ahead.push_back(object::show(other->key));
  return found;
}

void drop(Lines& lines, const std::string& node, const Place& place) {
  const auto line = lines.find(node);
  if (line == lines.end()) return;
  line->second.erase(place);
  if (line->second.empty()) lines.erase(line);
}

void release(std::map<std::string, std::int64_t>& counts, const std::string& node) {
  if (--counts[node] == 0) counts.erase(node);
}

}  // namespace

Limits limitsOf(const kinds::MigrationConfiguration& configuration) {
  const kinds::MigrationConfiguration usual = kinds::usualMigrations();
  Limits limits;
  limits.inCluster = configuration.parallelMigrationsPerCluster.value_or(*usual.parallelMigrationsPerCluster);
  limits.fromNode = configuration.parallelOutboundMigrationsPerNode.value_or(*usual.parallelOutboundMigrationsPerNode);
  limits.toNode = configuration.parallelInboundMigrationsPerNode.value_or(limits.fromNode);
  return limits;
}

bool Place::operator<(const Place& other) const {
  return std::tie(other.priority, created, key) < std::tie(priority, other.created, other.key);
}

Place placeOf(const kinds::VirtualMachineInstanceMigration& migration) {
  return {migration.spec.priority, migration.metadata.creationTimestamp, migration.metadata.key()};
}

void Turns::setLimits(const Limits& limits) {
  Keys concerned;
  {
    const Lock lock(mutex_);
    if (limits == std::exchange(limits_, limits)) return;
    if (!waiting_.empty()) concerned.insert(waiting_.begin()->key);
    if (!waiting_.empty()) noteThoseBehind(*waiting_.begin(), concerned);
    advance(concerned);
  }
  wakeAll(concerned, {});
}

bool Turns::isOpen() const {
  const Lock lock(mutex_);
  return open_;
}

void Turns::open(const std::vector<Standing>& all) {
  Keys concerned;
  {
    const Lock lock(mutex_);
    if (std::exchange(open_, true)) return;
    for (const Standing& standing : all) enlist(standing, concerned);
    advance(concerned);
  }
  wakeAll(concerned, {});
}

std::optional<kinds::QueuePlace> Turns::askToBegin(const Place& place, const std::string& source) {
  Keys concerned;
  std::optional<kinds::QueuePlace> standing;
  {
    const Lock lock(mutex_);
    // A turn was given for another node when the guest has come to this one since.
    if (const auto known = entries_.find(place.key); known != entries_.end() && known->second.source != source)
      strike(place.key, concerned);
    const Entry& entry = enlist({.place = place, .source = source, .target = "", .underWay = false}, concerned);
    advance(concerned);
    if (!entry.underWay)
      standing = describe(waiting_, entry.place,
                          counted(outbound_, source) >= limits_.fromNode
                              ? fmt::format("{} at a time away from node {}", limits_.fromNode, source)
                              : fmt::format("{} at a time in the cluster", limits_.inCluster));
  }
  wakeAll(concerned, place.key);
  return standing;
}

std::optional<kinds::QueuePlace> Turns::askToArrive(const object::Key& key, const std::string& target) {
  Keys concerned;
  std::optional<kinds::QueuePlace> standing;
  {
    const Lock lock(mutex_);
    const auto entry = entries_.find(key);
    if (entry == entries_.end()) return std::nullopt;
    if (entry->second.target != target) headFor(entry->second, target, concerned);
    advance(concerned);
    if (entry->second.arriving)
      standing = describe(arriving_[target], entry->second.place,
                          fmt::format("{} at a time to node {}", limits_.toNode, target));
  }
  wakeAll(concerned, key);
  return standing;
}

void Turns::count(const Standing& standing) {
  Keys concerned;
  {
    const Lock lock(mutex_);
    enlist(standing, concerned);
  }
  wakeAll(concerned, standing.place.key);
}

bool Turns::counts(const object::Key& key) const {
  const Lock lock(mutex_);
  const auto entry = entries_.find(key);
  return entry != entries_.end() && entry->second.underWay;
}

void Turns::leave(const object::Key& key) {
  Keys concerned;
  {
    const Lock lock(mutex_);
    strike(key, concerned);
    advance(concerned);
  }
  wakeAll(concerned, key);
}

Turns::Entry& Turns::enlist(const Standing& standing, Keys& concerned) {
  const auto [found, fresh] =
      entries_.try_emplace(standing.place.key, Entry{.place = standing.place, .source = standing.source});
  Entry& entry = found->second;
  if (fresh) {
    waiting_.insert(entry.place);
    leaving_[entry.source].insert(entry.place);
    noteThoseBehind(entry.place, concerned);
  }
  if (standing.underWay && !entry.underWay) begin(entry, concerned);
  if (standing.underWay && !standing.target.empty() && (entry.arriving || entry.target != standing.target)) {
    headFor(entry, standing.target, concerned);
    drop(arriving_, entry.target, entry.place);
    entry.arriving = false;
    ++inbound_[entry.target];
  }
  return entry;
}

void Turns::begin(Entry& entry, Keys& concerned) {
  waiting_.erase(entry.place);
  drop(leaving_, entry.source, entry.place);
  noteThoseBehind(entry.place, concerned);
  entry.underWay = true;
  ++underWay_;
  ++outbound_[entry.source];
}

// Into the line of its target, out of that of another.
void Turns::headFor(Entry& entry, const std::string& target, Keys& concerned) {
  if (entry.arriving)
    drop(arriving_, entry.target, entry.place);
  else if (!entry.target.empty())
    release(inbound_, entry.target);
  entry.target = target;
  entry.arriving = true;
  arriving_[target].insert(entry.place);
  for (const Place& other : arriving_[target])
    if (entry.place < other) concerned.insert(other.key);
}

void Turns::strike(const object::Key& key, Keys& concerned) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  const Entry& entry = found->second;
  if (!entry.underWay) {
    waiting_.erase(entry.place);
    drop(leaving_, entry.source, entry.place);
    noteThoseBehind(entry.place, concerned);
  } else {
    --underWay_;
    release(outbound_, entry.source);
    if (entry.arriving)
      drop(arriving_, entry.target, entry.place);
    else if (!entry.target.empty())
      release(inbound_, entry.target);
    if (const auto line = arriving_.find(entry.target); line != arriving_.end())
      for (const Place& other : line->second) concerned.insert(other.key);
  }
  entries_.erase(found);
}

// Gives turns as long as there are any: to the first of those whose node may be left; a line that may not move holds
// up nobody else.
void Turns::advance(Keys& concerned) {
  while (open_ && underWay_ < limits_.inCluster) {
    const Place* next = nullptr;
    for (const auto& [node, line] : leaving_)
      if (counted(outbound_, node) < limits_.fromNode && (!next || *line.begin() < *next)) next = &*line.begin();
    if (!next) break;
    concerned.insert(next->key);
    begin(entries_.at(next->key), concerned);
  }
  std::vector<object::Key> arrived;
  for (const auto& [node, line] : arriving_) {
    auto room = limits_.toNode - counted(inbound_, node);
    for (auto place = line.begin(); place != line.end() && room > 0; ++place, --room) arrived.push_back(place->key);
  }
  for (const object::Key& key : arrived) {
    Entry& entry = entries_.at(key);
    drop(arriving_, entry.target, entry.place);
    entry.arriving = false;
    ++inbound_[entry.target];
    concerned.insert(key);
  }
}

void Turns::noteThoseBehind(const Place& place, Keys& concerned) const {
  int rank = 0;
  for (auto other = waiting_.begin(); other != waiting_.end() && rank < kToldOfEveryStep; ++other, ++rank)
    if (place < *other) concerned.insert(other->key);
}

std::int64_t Turns::counted(const std::map<std::string, std::int64_t>& counts, const std::string& node) const {
  const auto found = counts.find(node);
  return found == counts.end() ? 0 : found->second;
}

void Turns::wakeAll(const Keys& concerned, const object::Key& caller) const {
  for (const object::Key& key : concerned)
    if (wake_ && key != caller) wake_(key);
}

}  // namespace godwit::controllers::migration
