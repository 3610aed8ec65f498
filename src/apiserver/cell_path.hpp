#pragma once

#include <string_view>

#include "object/document.hpp"

namespace godwit::apiserver {

// The value that a printer column shows, or null. Understands what columns use of kubectl's JSONPath:
// ".a.b", "\." inside a name, "[0]" and "[?(@.type=="Ready")]".
const json::value* cellAt(const object::Document& document, std::string_view path);

}  // namespace godwit::apiserver
