#pragma once

#include <algorithm>
#include <string_view>

namespace godwit {

// Takes the decimal digits off the front of a text.
inline std::string_view takeDigits(std::string_view& text) {
  const auto digits = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  text.remove_prefix(digits.size());
  return digits;
}

}  // namespace godwit
