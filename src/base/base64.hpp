#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace godwit {

// RFC 4648 with padding and without line breaks.
std::string encodeBase64(std::string_view bytes);
Result<std::string> decodeBase64(std::string_view text);

}  // namespace godwit
