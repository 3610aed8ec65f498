#include "store/sqlite/staged_changes.hpp"

namespace godwit::store {

Result<Revision> StagedChanges::add(const Operation& operation) {
  const Change change = TRY(decide(operation, lookUp(operation.key), newest_ + 1));
  newest_ = change.revision;
  touched_.insert_or_assign(change.key, entryAfter(change));
  changes_.push_back(change);
  return newest_;
}

std::optional<Entry> StagedChanges::lookUp(const std::string& key) const {
  const auto found = touched_.find(key);
  return found == touched_.end() ? committed_.find(key) : found->second;
}

}  // namespace godwit::store
