#include "apiserver/strategic_patch.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace godwit::apiserver {
namespace {

constexpr std::string_view kSetOrder = "$setElementOrder/";
constexpr std::string_view kDeleteFrom = "$deleteFromPrimitiveList/";

struct ListKey {
  std::string_view field;
  std::string_view key;
};

// Which member tells the elements of a list apart, after the struct tags of Kubernetes' own types.
constexpr std::array kListKeys = {
    ListKey{"containers", "name"},
    ListKey{"initContainers", "name"},
    ListKey{"ephemeralContainers", "name"},
    ListKey{"volumes", "name"},
    ListKey{"env", "name"},
    ListKey{"imagePullSecrets", "name"},
    ListKey{"secrets", "name"},
    ListKey{"resourceClaims", "name"},
    ListKey{"volumeMounts", "mountPath"},
    ListKey{"volumeDevices", "devicePath"},
    ListKey{"ports", "containerPort"},
    ListKey{"hostAliases", "ip"},
    ListKey{"conditions", "type"},
    ListKey{"addresses", "type"},
    ListKey{"ownerReferences", "uid"},
    ListKey{"topologySpreadConstraints", "topologyKey"},
    ListKey{"podIPs", "ip"},
    ListKey{"volumesAttached", "name"},
};

std::string_view keyOfList(std::string_view field) {
  for (const ListKey& known : kListKeys)
    if (known.field == field) return known.key;
  return {};
}

std::string_view directiveIn(const json::value& value) {
  const json::object* object = value.if_object();
  const json::value* directive = object != nullptr ? object->if_contains("$patch") : nullptr;
  return directive != nullptr && directive->is_string() ? std::string_view(directive->get_string()) : "";
}

const json::value* memberOf(const json::value& element, std::string_view name) {
  const json::object* object = element.if_object();
  return object != nullptr ? object->if_contains(name) : nullptr;
}

// The element of `list` with the same key as `wanted`.
json::array::iterator findLike(json::array& list, const json::value& wanted, std::string_view key) {
  const json::value* sought = memberOf(wanted, key);
  return std::find_if(list.begin(), list.end(), [&](const json::value& element) {
    const json::value* found = memberOf(element, key);
    return found != nullptr && sought != nullptr && *found == *sought;
  });
}

void mergeElements(json::array& target, const json::array& patch, std::string_view key) {
  if (std::any_of(patch.begin(), patch.end(), [](const auto& element) { return directiveIn(element) == "replace"; }))
    target.clear();
  for (const json::value& element : patch) {
    const auto found = findLike(target, element, key);
    const std::string_view directive = directiveIn(element);
    if (directive == "delete") {
      if (found != target.end()) target.erase(found);
    } else if (found != target.end() && found->is_object()) {
      applyStrategicPatch(found->get_object(), element.as_object());
    } else if (directive.empty()) {
      json::object added;
      if (element.is_object()) applyStrategicPatch(added, element.get_object());
      target.push_back(element.is_object() ? json::value(std::move(added)) : element);
    }
  }
}

void uniteValues(json::array& target, const json::array& patch) {
  for (const json::value& value : patch)
    if (std::find(target.begin(), target.end(), value) == target.end()) target.push_back(value);
}

// Brings the elements that `order` names into its order, ahead of the others.
void reorder(json::array& list, const json::array& order, std::string_view key) {
  json::array ordered;
  for (const json::value& next : order) {
    const auto found = key.empty() ? std::find(list.begin(), list.end(), next) : findLike(list, next, key);
    if (found == list.end()) continue;
    ordered.push_back(std::move(*found));
    list.erase(found);
  }
  for (json::value& rest : list) ordered.push_back(std::move(rest));
  list = std::move(ordered);
}

void mergeList(json::value& target, const json::array& patch, std::string_view field) {
  const std::string_view key = keyOfList(field);
  const bool named =
      !key.empty() && std::all_of(patch.begin(), patch.end(), [](const auto& e) { return e.is_object(); });
  if (!target.is_array()) target.emplace_array();
  if (named)
    mergeElements(target.get_array(), patch, key);
  else if (field == "finalizers")
    uniteValues(target.get_array(), patch);
  else
    target = patch;
}

void mergeMember(json::object& target, std::string_view name, const json::value& value) {
  if (value.is_null() || directiveIn(value) == "delete") {
    target.erase(name);
  } else if (value.is_object()) {
    json::value& member = target[name];
    if (!member.is_object()) member.emplace_object();
    applyStrategicPatch(member.get_object(), value.get_object());
  } else if (value.is_array()) {
    mergeList(target[name], value.get_array(), name);
  } else {
    target[name] = value;
  }
}

void obeyListDirective(json::object& target, std::string_view directive, const json::array& values) {
  const bool order = directive.starts_with(kSetOrder);
  const std::string_view field = directive.substr(order ? kSetOrder.size() : kDeleteFrom.size());
  json::value* list = target.if_contains(field);
  if (list == nullptr || !list->is_array()) return;
  if (order) return reorder(list->get_array(), values, keyOfList(field));
  for (const json::value& value : values) {
    json::array& held = list->get_array();
    held.erase(std::remove(held.begin(), held.end(), value), held.end());
  }
}

void retainOnly(json::object& target, const json::array& names) {
  json::object retained;
  for (auto& [name, value] : target)
    if (std::find(names.begin(), names.end(), json::value(name)) != names.end()) retained[name] = std::move(value);
  target = std::move(retained);
}

}  // namespace

void applyStrategicPatch(json::object& target, const json::object& patch) {
  if (directiveIn(patch) == "replace") target.clear();
  if (const json::value* names = patch.if_contains("$retainKeys"); names != nullptr && names->is_array())
    retainOnly(target, names->get_array());
  for (const auto& [name, value] : patch)
    if (!name.starts_with("$")) mergeMember(target, name, value);
  for (const auto& [name, value] : patch)
    if ((name.starts_with(kSetOrder) || name.starts_with(kDeleteFrom)) && value.is_array())
      obeyListDirective(target, name, value.get_array());
}

}  // namespace godwit::apiserver
