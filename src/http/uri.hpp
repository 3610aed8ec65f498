#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace godwit::http {

// What stands behind the question mark, decoded, in the order of the request line.
class Query {
 public:
  void add(std::string name, std::string value) { parameters_.emplace_back(std::move(name), std::move(value)); }

  // The first value under that name; empty for a name without "=".
  std::optional<std::string> find(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

struct Target {
  std::vector<std::string> segments;  // decoded, without empty ones: "/a//b/" has two
  Query query;
};

// Splits before it decodes, so that an encoded slash stays inside its segment. Refuses what does not start with "/".
Result<Target> parseTarget(std::string_view target);

// Turns "%2F" into "/". Refuses a percent sign without two hexadecimal digits.
Result<std::string> decode(std::string_view text);

// Leaves only the unreserved characters of RFC 3986 as they are; good for a path segment and for a query value.
std::string encode(std::string_view text);

}  // namespace godwit::http
