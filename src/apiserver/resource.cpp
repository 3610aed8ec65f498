#include "apiserver/resource.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace godwit::apiserver {
namespace {

// Kubernetes keeps group names without a dot, and those below k8s.io, for itself.
bool shippedWithKubernetes(std::string_view group) {
  return group.find('.') == std::string_view::npos || group.ends_with(".k8s.io");
}

}  // namespace

std::string Resource::storeKey(const object::Key& key) const { return storePrefixIn(key.nameSpace) + key.name; }

std::string Resource::storePrefixIn(std::string_view nameSpace) const {
  return nameSpace.empty() ? storePrefix : fmt::format("{}{}/", storePrefix, nameSpace);
}

Catalog::Catalog(std::vector<schema::Definition> definitions) {
  for (schema::Definition& definition : definitions) {
    const schema::Kind& kind = definition.kind;
    const std::string_view group = kind.group.empty() ? "core" : kind.group;
    std::string apiVersion = schema::apiVersion(kind);
    std::string prefix = fmt::format("/{}/{}/", group, kind.plural);
    const bool builtIn = shippedWithKubernetes(kind.group);
    resources_.push_back({std::move(definition), std::move(apiVersion), std::move(prefix), builtIn});
  }
}

const Resource* Catalog::find(std::string_view group, std::string_view version, std::string_view plural) const {
  const auto found = std::find_if(resources_.begin(), resources_.end(), [&](const Resource& resource) {
    const schema::Kind& kind = resource.kind();
    return kind.plural == plural && kind.group == group && kind.version == version;
  });
  return found == resources_.end() ? nullptr : &*found;
}

const Resource& Catalog::at(const schema::Kind& kind) const {
  const Resource* const found = find(kind.group, kind.version, kind.plural);
  ENSURE(found, "the kind is served");
  return *found;
}

}  // namespace godwit::apiserver
