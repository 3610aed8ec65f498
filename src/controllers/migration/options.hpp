#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kinds/migration_policy.hpp"

// What holds for one migration: the usual, unless the cluster says something else, unless a policy does, unless the
// migration itself does.
namespace godwit::controllers::migration {

using Policies = std::vector<std::shared_ptr<const kinds::MigrationPolicy>>;
using Labels = std::map<std::string, std::string>;

// Whom a policy may be for.
struct Labelled {
  Labels nameSpace = {};
  Labels instance = {};
};

struct Resolved {
  kinds::MigrationOptions options = {};
  std::string policy = {};  // empty when none is for this guest

  bool operator==(const Resolved&) const = default;
};

// The one that names the most labels of the guest; among equals the one that names more of the guest's own, then the
// first by name. Null when there is none. One without selectors is for nobody.
std::shared_ptr<const kinds::MigrationPolicy> policyFor(const Policies& all, const Labelled& guest);

Resolved resolve(const kinds::MigrationOptions& cluster, const kinds::MigrationPolicy* policy,
                 const std::optional<kinds::MigrationOptions>& own);

// As the mover's pod says it.
std::string writeOptions(const kinds::MigrationOptions& options);

}  // namespace godwit::controllers::migration
