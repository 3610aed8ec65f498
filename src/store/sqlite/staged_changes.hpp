#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/operation.hpp"
#include "store/versioned_map.hpp"

namespace godwit::store {

// Operations decided one after the other, each seeing those before it, on top of a map that
// does not know of them yet and does not change meanwhile.
class StagedChanges {
 public:
  explicit StagedChanges(const VersionedMap& committed) : committed_(committed), newest_(committed.revision()) {}

  Result<Revision> add(const Operation& operation);

  const std::vector<Change>& all() const { return changes_; }

 private:
  std::optional<Entry> lookUp(const std::string& key) const;

  const VersionedMap& committed_;
  Revision newest_;
  std::vector<Change> changes_;
  std::map<std::string, std::optional<Entry>> touched_;  // nothing: removed
};

}  // namespace godwit::store
