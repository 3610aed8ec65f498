#pragma once

#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace godwit {

// "2026-01-02T03:04:05Z", the form of metav1.Time.
std::string toRfc3339(Timestamp time);
// "2026-01-02T03:04:05.678901Z", the form of metav1.MicroTime.
std::string toRfc3339Micro(Timestamp time);
// Accepts both, and any number of fractional digits; UTC ("Z") or a numeric offset.
Result<Timestamp> parseRfc3339(std::string_view text);

// "90s", "1h30m": whole numbers of h, m and s, each at most once and in this order, as Go writes a duration.
Result<Duration> parseDuration(std::string_view text);

// "5s", "3m20s", "2d4h": how kubectl writes an age.
std::string humanDuration(Duration duration);

}  // namespace godwit
