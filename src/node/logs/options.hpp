#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "http/uri.hpp"

namespace godwit::node::logs {

// What is asked of a log, as Kubernetes' PodLogOptions have it.
struct Options {
  bool follow = false;
  bool previous = false;
  bool timestamps = false;
  std::optional<std::int64_t> tailLines;
  std::optional<std::int64_t> limitBytes;
  std::optional<Timestamp> since;

  bool operator==(const Options&) const = default;
};

// Invalid when a parameter makes no sense, and says which. Parameters that nobody knows are left alone.
Result<Options> readOptions(const http::Query& query, Timestamp now);

}  // namespace godwit::node::logs
