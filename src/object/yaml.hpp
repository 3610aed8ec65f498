#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "object/document.hpp"

namespace godwit::object {

// One value per YAML document ("---"); empty documents are skipped. Scalars are typed as
// Kubernetes does (YAML 1.1 core: quoted is text; true/false, integers, floats, null).
Result<std::vector<json::value>> parseYaml(std::string_view text);
// Block style, two spaces, keys in the order of the document; a text that would be read as another type is quoted.
std::string writeYaml(const json::value& value);

}  // namespace godwit::object
