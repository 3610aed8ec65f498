#pragma once

#include <optional>
#include <string_view>

#include "apiserver/objects.hpp"
#include "apiserver/resource.hpp"
#include "http/message.hpp"

namespace godwit::apiserver {

// The one rule that singles out a kind: an object can be created only in a namespace that
// is there and stays. Does not hold where no namespaces are served.
class Namespaces {
 public:
  Namespaces(Objects& objects, const Catalog& catalog)
      : objects_(objects), namespaces_(catalog.find("", "v1", "namespaces")) {}

  // Why nothing can be created there, if so.
  std::optional<http::Response> refusalToCreate(const Resource& resource, std::string_view nameSpace) const;
  // Creates the namespace unless it is there; safe to repeat.
  Result<> ensure(std::string_view name) const;

 private:
  Objects& objects_;
  const Resource* namespaces_;
};

}  // namespace godwit::apiserver
