#pragma once

#include <string_view>

#include "object/document.hpp"

namespace godwit::object {

// What YAML 1.1 takes a scalar without quotes for, as the tools of Kubernetes read it: null, a
// boolean ("yes" is one), an integer, a float, or else a text. Not-a-number and infinity have no JSON.
Result<json::value> plainScalar(std::string_view text);

}  // namespace godwit::object
