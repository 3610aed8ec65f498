#include "object/patch.hpp"

namespace godwit::object {

void applyMergePatch(json::value& target, const json::value& patch) {
  const json::object* changes = patch.if_object();
  if (!changes) {
    target = patch;
    return;
  }
  if (!target.is_object()) target.emplace_object();
  json::object& members = target.get_object();
  for (const auto& [name, change] : *changes) {
    if (change.is_null()) {
      members.erase(name);
    } else {
      applyMergePatch(members[name], change);
    }
  }
}

json::object mergePatchBetween(const json::object& before, const json::object& after) {
  json::object patch;
  for (const auto& [name, value] : before)
    if (!after.contains(name)) patch[name] = nullptr;
  for (const auto& [name, value] : after) {
    const json::value* old = before.if_contains(name);
    if (old ? *old == value : value.is_null()) continue;
    if (old && old->is_object() && value.is_object()) {
      auto inner = mergePatchBetween(old->get_object(), value.get_object());
      if (!inner.empty()) patch[name] = std::move(inner);
    } else {
      patch[name] = value;
    }
  }
  return patch;
}

}  // namespace godwit::object
