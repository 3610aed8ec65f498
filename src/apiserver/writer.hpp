#pragma once

#include "apiserver/call.hpp"
#include "apiserver/namespaces.hpp"
#include "apiserver/objects.hpp"

namespace godwit::apiserver {

// The verbs that change something.
class Writer {
 public:
  Writer(store::Store& store, Objects& objects, const Namespaces& namespaces, const Clock& clock)
      : store_(store), objects_(objects), namespaces_(namespaces), clock_(clock) {}

  Result<http::Response> create(const Call& call) const;
  Result<http::Response> update(const Call& call) const;
  Result<http::Response> patch(const Call& call) const;
  Result<http::Response> remove(const Call& call) const;
  Result<http::Response> removeCollection(const Call& call) const;

 private:
  Result<http::Response> createFrom(const Call& call, object::Document document) const;
  Result<http::Response> render(const Call& call, const Written& written) const;

  store::Store& store_;
  Objects& objects_;
  const Namespaces& namespaces_;
  const Clock& clock_;
};

}  // namespace godwit::apiserver
