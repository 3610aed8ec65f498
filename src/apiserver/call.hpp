#pragma once

#include "apiserver/authorization.hpp"
#include "apiserver/media.hpp"
#include "apiserver/resource.hpp"
#include "http/message.hpp"
#include "http/uri.hpp"

namespace godwit::apiserver {

// A request for objects, once it is clear which, by whom and in what form.
struct Call {
  const http::Request& request;
  const http::Query& query;
  const Resource& resource;
  const Access& access;
  Representation accepted;

  object::Key key() const { return {access.nameSpace, access.name}; }
};

}  // namespace godwit::apiserver
