#include "apiserver/location.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace godwit::apiserver {
namespace {

std::string joined(const std::vector<std::string>& segments, std::size_t from) {
  if (from >= segments.size()) return {};
  return fmt::format("{}", fmt::join(segments.begin() + static_cast<std::ptrdiff_t>(from), segments.end(), "/"));
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return lower;
}

std::string verbOf(std::string_view method, const http::Query& query, bool named) {
  if (method == "GET" || method == "HEAD") return named ? "get" : isSet(query, "watch") ? "watch" : "list";
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return named ? "delete" : "deletecollection";
  return {};
}

}  // namespace

std::string textOf(const http::Query& query, std::string_view name) { return query.find(name).value_or(""); }

bool isSet(const http::Query& query, std::string_view name) {
  const auto found = query.find(name);
  if (!found) return false;
  const std::string value = lowerCase(*found);
  return value != "false" && value != "0";
}

Result<std::optional<std::int64_t>> numberOf(const http::Query& query, std::string_view name) {
  const std::string value = textOf(query, name);
  if (value.empty()) return std::nullopt;
  std::int64_t number = 0;
  const char* const last = value.data() + value.size();
  const auto [end, problem] = std::from_chars(value.data(), last, number);
  if (problem != std::errc() || end != last || number < 0)
    return fail(Code::Invalid, fmt::format("{}: Invalid value: \"{}\": must be a number from 0 up", name, value));
  return number;
}

std::optional<ResourcePath> ResourcePath::in(const std::vector<std::string>& segments) {
  if (segments.empty()) return std::nullopt;
  const bool core = segments[0] == "api";
  std::size_t at = core ? 2 : 3;
  if ((!core && segments[0] != "apis") || segments.size() <= at) return std::nullopt;

  ResourcePath path;
  path.group = core ? "" : segments[1];
  path.version = segments[at - 1];
  // /namespaces/NAME and /namespaces/NAME/status are the namespace itself; anything else below lies in it.
  const bool inNamespace = segments[at] == "namespaces" && segments.size() > at + 2 && segments[at + 2] != "status" &&
                           segments[at + 2] != "finalize";
  if (inNamespace) {
    path.nameSpace = segments[at + 1];
    at += 2;
  }
  path.resource = segments[at];
  if (segments.size() > at + 1) path.name = segments[at + 1];
  path.subresource = joined(segments, at + 2);
  return path;
}

Access accessOf(std::string_view method, const http::Target& target, const std::optional<ResourcePath>& path) {
  const std::string whole = fmt::format("/{}", fmt::join(target.segments, "/"));
  if (!path) return {.verb = method == "HEAD" ? "get" : lowerCase(method), .path = whole};
  return {.verb = verbOf(method, target.query, !path->name.empty()),
          .group = path->group,
          .resource = path->resource,
          .subresource = path->subresource,
          .nameSpace = path->nameSpace,
          .name = path->name,
          .path = whole};
}

}  // namespace godwit::apiserver
