#pragma once

#include <string>

#include <fmt/format.h>

#include "base/result.hpp"
#include "schema/schema.hpp"

namespace godwit::subresources {

// 409, in the words of Kubernetes.
template <class T>
Failure refuse(const T& object, std::string_view why) {
  return fail(Code::Conflict, fmt::format("Operation cannot be fulfilled on {}.{} \"{}\": {}", schema::kind<T>.singular,
                                          schema::kind<T>.group, object.metadata.name, why));
}

}  // namespace godwit::subresources
