#include "base/log.hpp"

#include <memory>
#include <string>

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace godwit::log {
namespace {

spdlog::level::level_enum spdlogLevel(Level level) {
  switch (level) {
    case Level::Debug:
      return spdlog::level::debug;
    case Level::Info:
      return spdlog::level::info;
    case Level::Warn:
      return spdlog::level::warn;
    case Level::Error:
      return spdlog::level::err;
  }
  __builtin_unreachable();
}

// stderr belongs to the process, and so does the writer to it.
spdlog::logger& standardError() {
  static spdlog::logger logger = [] {
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    sink->set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%fZ %-7l %v", spdlog::pattern_time_type::utc));
    return spdlog::logger("godwit", std::move(sink));
  }();
  return logger;
}

// "…/src/store/writer.cpp" is "store"; a file outside src/ goes by its own name.
std::string_view componentOf(std::string_view file) {
  static constexpr std::string_view kSources = "/src/";
  if (const auto found = file.rfind(kSources); found != file.npos) {
    file.remove_prefix(found + kSources.size());
    return file.substr(0, file.find('/'));
  }
  const auto slash = file.rfind('/');
  return slash == file.npos ? file : file.substr(slash + 1);
}

// A text from outside must not be able to forge a line of its own.
std::string onOneLine(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\r') {
      line += "\\r";
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

Result<> setLevel(std::string_view name) {
  static constexpr std::pair<std::string_view, Level> kLevels[] = {
      {"debug", Level::Debug}, {"info", Level::Info}, {"warn", Level::Warn}, {"error", Level::Error}};
  for (const auto& [known, level] : kLevels) {
    if (known != name) continue;
    standardError().set_level(spdlogLevel(level));
    return {};
  }
  return fail(Code::Invalid, fmt::format("\"{}\" is no log level: debug, info, warn or error", name));
}

bool enabled(Level level) { return standardError().should_log(spdlogLevel(level)); }

void write(Level level, std::string_view file, fmt::string_view format, fmt::format_args args) {
  const std::string text = onOneLine(fmt::vformat(format, args));
  standardError().log(spdlogLevel(level), "{}: {}", componentOf(file), text);
}

}  // namespace godwit::log
