#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "object/document.hpp"
#include "schema/definition.hpp"

namespace godwit::apiserver {

// A kind that is served from the store.
struct Resource {
  schema::Definition definition;
  std::string apiVersion;
  std::string storePrefix;  // of all its keys: "/core/pods/"
  // Kubernetes ships it. Such kinds take strategic patches and unconditional updates, and
  // their lists leave apiVersion and kind out of the items; custom kinds do none of this.
  bool builtIn = false;

  const schema::Kind& kind() const { return definition.kind; }
  bool namespaced() const { return kind().scope == schema::Scope::Namespaced; }
  std::string storeKey(const object::Key& key) const;
  // Of the keys in a namespace; of all keys when it is empty.
  std::string storePrefixIn(std::string_view nameSpace) const;
};

// Every kind that is served, in the order it was given.
class Catalog {
 public:
  explicit Catalog(std::vector<schema::Definition> definitions);

  const Resource* find(std::string_view group, std::string_view version, std::string_view plural) const;
  // Of a kind that is known to be served.
  const Resource& at(const schema::Kind& kind) const;
  const std::vector<Resource>& resources() const { return resources_; }

 private:
  std::vector<Resource> resources_;
};

}  // namespace godwit::apiserver
