#include "node/logs/options.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/time_format.hpp"

namespace godwit::node::logs {
namespace {

// Thirty years before now, which still fit a Timestamp: nothing here is older.
constexpr std::int64_t kMostSeconds = 1'000'000'000;

Failure refused(std::string_view name, std::string_view value, std::string_view why) {
  return fail(Code::Invalid, fmt::format("{}: Invalid value: \"{}\": {}", name, value, why));
}

// Kubernetes reads everything as true that does not say otherwise.
bool flag(const http::Query& query, std::string_view name) {
  const auto value = query.find(name);
  return value && *value != "0" && *value != "false" && *value != "False" && *value != "FALSE";
}

Result<std::optional<std::int64_t>> number(const http::Query& query, std::string_view name, std::int64_t least) {
  const auto text = query.find(name);
  if (!text || text->empty()) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return refused(name, *text, "must be an integer");
  if (value < least) return refused(name, *text, fmt::format("must be greater than or equal to {}", least));
  return value;
}

Result<std::optional<Timestamp>> since(const http::Query& query, Timestamp now) {
  const auto seconds = TRY(number(query, "sinceSeconds", 1));
  const auto time = query.find("sinceTime");
  if (seconds && time) return fail(Code::Invalid, "at most one of `sinceTime` or `sinceSeconds` may be specified");
  if (seconds) return now - std::chrono::seconds(std::min(*seconds, kMostSeconds));
  if (!time || time->empty()) return std::nullopt;
  const auto parsed = parseRfc3339(*time);
  if (!parsed) return refused("sinceTime", *time, parsed.error().message);
  return *parsed;
}

}  // namespace

Result<Options> readOptions(const http::Query& query, Timestamp now) {
  Options options;
  options.follow = flag(query, "follow");
  options.previous = flag(query, "previous");
  options.timestamps = flag(query, "timestamps");
  options.tailLines = TRY(number(query, "tailLines", 0));
  options.limitBytes = TRY(number(query, "limitBytes", 1));
  options.since = TRY(since(query, now));
  return options;
}

}  // namespace godwit::node::logs
