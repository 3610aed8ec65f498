#include "base/time_format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/digits.hpp"

namespace godwit {
namespace {

using namespace std::chrono;

// A Timestamp counts nanoseconds in 64 bits, which reach from 1677 to 2262.
constexpr auto kLatest = floor<seconds>(Timestamp::max()) - seconds(1);
constexpr auto kEarliest = floor<seconds>(Timestamp::min()) + seconds(1);

// Overwrites as many digits as there are places.
void putNumber(char* at, int places, std::int64_t number) {
  for (char* digit = at + places; digit != at; number /= 10) *--digit = static_cast<char>('0' + number % 10);
}

// Every object that is written has several of these, so no format string is read for them.
std::string dateAndTime(sys_seconds time) {
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  std::string text = "0000-00-00T00:00:00";
  putNumber(&text[0], 4, int(date.year()));
  putNumber(&text[5], 2, unsigned(date.month()));
  putNumber(&text[8], 2, unsigned(date.day()));
  putNumber(&text[11], 2, clock.hours().count());
  putNumber(&text[14], 2, clock.minutes().count());
  putNumber(&text[17], 2, clock.seconds().count());
  return text;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Whether the text has this form, where 'd' stands for a digit and all else for itself.
bool hasForm(std::string_view text, std::string_view form) {
  return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                    [](char c, char expected) { return expected == 'd' ? isDigit(c) : c == expected; });
}

int number(std::string_view digits) {
  int value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  return value;
}

// "678901" after the point; digits beyond nanoseconds are dropped.
nanoseconds fraction(std::string_view digits) {
  std::string nine(digits.substr(0, 9));
  nine.resize(9, '0');
  return nanoseconds(number(nine));
}

// "Z", "+02:00" or "-09:30".
Result<minutes> offset(std::string_view text) {
  if (text == "Z") return minutes(0);
  if (!hasForm(text, "+dd:dd") && !hasForm(text, "-dd:dd")) return fail(Code::Invalid, "has no time zone");
  const int hour = number(text.substr(1, 2));
  const int minute = number(text.substr(4, 2));
  if (hour > 23 || minute > 59) return fail(Code::Invalid, "has no such time zone");
  const minutes distance = hours(hour) + minutes(minute);
  return text.front() == '-' ? -distance : distance;
}

Result<sys_seconds> dateAndTime(std::string_view text) {
  if (!hasForm(text, "dddd-dd-ddTdd:dd:dd")) return fail(Code::Invalid, "is not of the form 2006-01-02T15:04:05Z");
  const auto part = [&](std::size_t from, std::size_t length) { return number(text.substr(from, length)); };
  const year_month_day date(year(part(0, 4)), month(static_cast<unsigned>(part(5, 2))),
                            day(static_cast<unsigned>(part(8, 2))));
  const int hour = part(11, 2), minute = part(14, 2), second = part(17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return fail(Code::Invalid, "is not in the calendar");
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
}

Result<Timestamp> timestamp(std::string_view text) {
  static constexpr std::size_t kLength = std::string_view("2006-01-02T15:04:05").size();
  const sys_seconds local = TRY(dateAndTime(text.substr(0, kLength)));
  text.remove_prefix(kLength);

  nanoseconds beyond(0);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const auto digits = takeDigits(text);
    if (digits.empty()) return fail(Code::Invalid, "has no digits after the point");
    beyond = fraction(digits);
  }
  const sys_seconds utc = local - TRY(offset(text));
  if (utc < kEarliest || utc > kLatest) return fail(Code::Invalid, "is too far away");
  return Timestamp(utc) + beyond;
}

}  // namespace

std::string toRfc3339(Timestamp time) { return dateAndTime(floor<seconds>(time)) + "Z"; }

std::string toRfc3339Micro(Timestamp time) {
  const auto whole = floor<seconds>(time);
  return fmt::format("{}.{:06}Z", dateAndTime(whole), floor<microseconds>(time - whole).count());
}

Result<Timestamp> parseRfc3339(std::string_view text) {
  return timestamp(text).map_error(
      [&](Error error) { return within(fmt::format("time \"{}\"", text), std::move(error)); });
}

Result<Duration> parseDuration(std::string_view text) {
  static constexpr std::size_t kMostDigits = 6;
  struct Unit {
    char letter;
    std::int64_t seconds;
  };
  std::string_view left = text;
  Duration sum{};
  for (const Unit& unit : {Unit{'h', 3600}, Unit{'m', 60}, Unit{'s', 1}}) {
    std::string_view rest = left;
    const auto digits = takeDigits(rest);
    if (digits.empty() || digits.size() > kMostDigits || !rest.starts_with(unit.letter)) continue;
    sum += seconds(number(digits) * unit.seconds);
    left = rest.substr(1);
  }
  if (!text.empty() && left.empty()) return sum;
  return fail(Code::Invalid, fmt::format("\"{}\" is no duration like \"10m\" or \"1h30m\"", text));
}

std::string humanDuration(Duration duration) {
  struct Row {
    std::int64_t below;  // seconds
    std::int64_t unit;
    char letter;
    std::int64_t rest = 0;  // the unit of what is left over, where it is shown
    char restLetter = 0;
  };
  static constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour, kYear = 365 * kDay;
  // kubectl's own limits: the first row that the duration stays below is the one that is used.
  static constexpr std::array kRows = {
      Row{2 * kMinute, 1, 's'},     Row{10 * kMinute, kMinute, 'm', 1, 's'},
      Row{3 * kHour, kMinute, 'm'}, Row{8 * kHour, kHour, 'h', kMinute, 'm'},
      Row{48 * kHour, kHour, 'h'},  Row{8 * kDay, kDay, 'd', kHour, 'h'},
      Row{2 * kYear, kDay, 'd'},    Row{8 * kYear, kYear, 'y', kDay, 'd'},
  };
  const std::int64_t total = duration_cast<seconds>(duration).count();
  if (total < -1) return "<invalid>";
  if (total < 0) return "0s";
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return total < row.below; });
  const Row row = found == kRows.end() ? Row{0, kYear, 'y'} : *found;
  std::string text = fmt::format("{}{}", total / row.unit, row.letter);
  const std::int64_t left = row.rest == 0 ? 0 : total % row.unit / row.rest;
  if (left > 0) text += fmt::format("{}{}", left, row.restLetter);
  return text;
}

}  // namespace godwit
