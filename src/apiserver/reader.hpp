#pragma once

#include <memory>

#include "apiserver/call.hpp"
#include "apiserver/objects.hpp"
#include "apiserver/watch.hpp"

namespace godwit::apiserver {

// The verbs that change nothing.
class Reader {
 public:
  Reader(store::Store& store, Objects& objects, const Clock& clock)
      : store_(store), objects_(objects), clock_(clock), lines_(std::make_shared<EventLines>()) {}

  Result<http::Response> get(const Call& call) const;
  Result<http::Response> list(const Call& call) const;
  Result<http::Response> watch(const Call& call) const;

 private:
  store::Store& store_;
  Objects& objects_;
  const Clock& clock_;
  std::shared_ptr<EventLines> lines_;
};

}  // namespace godwit::apiserver
