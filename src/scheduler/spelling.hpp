#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "object/selector.hpp"

namespace godwit::scheduler {

// Adds a text so that no two lists of texts are spelled alike.
inline void spell(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

inline std::string spell(std::string_view label, std::string_view value) {
  std::string out;
  out.reserve(label.size() + value.size() + 6);
  spell(out, label);
  out += value;
  return out;
}

inline std::vector<std::string> spell(const object::Labels& labels) {
  std::vector<std::string> out;
  out.reserve(labels.size());
  for (const auto& [label, value] : labels) out.push_back(spell(label, value));
  return out;
}

}  // namespace godwit::scheduler
