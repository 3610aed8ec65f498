#include "subresources/new_migration.hpp"

#include <algorithm>

#include "kinds/words.hpp"

namespace godwit::subresources {
namespace {

// Makes it if need be. Nothing where something else is: that is found out by who looks at the whole.
json::object* objectIn(json::object& whole, std::string_view name) {
  json::value& part = whole[name];
  if (part.is_null()) part.emplace_object();
  return part.if_object();
}

void addFinalizer(json::object& metadata) {
  json::value& finalizers = metadata["finalizers"];
  if (finalizers.is_null()) finalizers.emplace_array();
  json::array* const all = finalizers.if_array();
  const json::value ours(kinds::words::kMigrationFinalizer);
  if (all && std::find(all->begin(), all->end(), ours) == all->end()) all->push_back(ours);
}

}  // namespace

void completeMigration(object::Document& made) {
  const std::string instance = object::textAt(made, {"spec", "vmiName"});
  json::object* const metadata = objectIn(made, "metadata");
  if (!metadata || instance.empty()) return;
  addFinalizer(*metadata);
  if (json::object* const labels = objectIn(*metadata, "labels")) (*labels)[kinds::words::kVmiName] = instance;
}

}  // namespace godwit::subresources
