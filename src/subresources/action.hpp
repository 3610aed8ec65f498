#pragma once

#include <string>

#include <fmt/format.h>

#include "apiserver/status.hpp"
#include "http/message.hpp"
#include "http/uri.hpp"
#include "object/document.hpp"
#include "schema/read.hpp"

namespace godwit::subresources {

// One action on one VM, and the API as its caller may use it.
struct Action {
  http::Handler& api;
  const http::Request& caller;
  std::string nameSpace;
  std::string name;

  http::Response send(std::string_view method, const std::string& target, const std::string& body = "",
                      std::string_view type = "application/json") const {
    http::Request request{.method = std::string(method), .target = target, .body = body, .peer = caller.peer};
    const auto credentials = caller.headers.find("authorization");
    if (credentials != caller.headers.end()) request.headers.insert(*credentials);
    request.headers["content-type"] = type;
    return api.handle(request);
  }
  std::string path(std::string_view group, std::string_view plural) const {
    return fmt::format("/apis/{}/v1/namespaces/{}/{}", group, http::encode(nameSpace), plural);
  }
  std::string machine() const { return path("kubevirt.io", "virtualmachines") + "/" + http::encode(name); }
  http::Response instance() const {
    return send("GET", path("kubevirt.io", "virtualmachineinstances") + "/" + http::encode(name));
  }
};

inline http::Response refusal(std::string_view message) { return apiserver::refuse(400, "BadRequest", message); }
inline http::Response done() { return apiserver::respondText(204, ""); }
inline bool isGood(const http::Response& response) { return response.status < 300; }

inline object::Document documentOf(const http::Response& response) {
  return object::parseDocument(response.body).value_or(object::Document());
}

template <class T>
T viewOf(const http::Response& response) {
  return schema::view<T>(json::value(documentOf(response)));
}

}  // namespace godwit::subresources
