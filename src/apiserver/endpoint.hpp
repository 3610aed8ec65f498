#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authentication.hpp"
#include "http/message.hpp"
#include "http/uri.hpp"
#include "object/document.hpp"

namespace godwit::apiserver {

struct EndpointCall {
  const http::Request& request;
  const http::Query& query;
  const User& user;
  std::string_view verb;  // "get", "create" ...
  object::Key key;        // of the object whose subresource it is; without a name for a resource of its own
};

// A resource or subresource that a function answers, not the store: pods/binding, pods/log,
// selfsubjectaccessreviews. Whoever wires the program registers those that know a kind.
struct Endpoint {
  std::string group;
  std::string version;
  std::string resource;
  std::string subresource;     // empty: the resource itself; may have several parts ("guestosinfo/x")
  std::string kind;            // of the body, as discovery tells it
  std::string kindGroup = {};  // of the body where it differs: pods/eviction takes a policy/v1 Eviction
  std::string kindVersion = {};
  bool namespaced = true;
  std::vector<std::string> verbs;
  // An error becomes a metav1.Status about the object. Called from several threads.
  std::function<Result<http::Response>(const EndpointCall&)> answer;
};

}  // namespace godwit::apiserver
