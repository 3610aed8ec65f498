#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include "base/result.hpp"

// One line per event on stderr: time, level, component, text. The component is the
// room of the calling file, so nobody has to name it.
namespace godwit::log {

enum class Level { Debug, Info, Warn, Error };

// Lines below this level are dropped from now on: "debug", "info" (as at start), "warn" or "error".
Result<> setLevel(std::string_view name);

bool enabled(Level level);
void write(Level level, std::string_view file, fmt::string_view format, fmt::format_args args);

// A format string that the compiler checks, and the file it was written in.
template <class... Args>
struct Text {
  template <class S>
  FMT_CONSTEVAL Text(const S& text, const char* writtenIn = __builtin_FILE()) : format(text), file(writtenIn) {}

  fmt::format_string<Args...> format;
  const char* file;
};

template <class... Args>
void line(Level level, const Text<std::type_identity_t<Args>...>& text, Args&&... args) {
  if (enabled(level)) write(level, text.file, text.format, fmt::make_format_args(args...));
}

template <class... Args>
void debug(Text<std::type_identity_t<Args>...> text, Args&&... args) {
  line(Level::Debug, text, std::forward<Args>(args)...);
}

template <class... Args>
void info(Text<std::type_identity_t<Args>...> text, Args&&... args) {
  line(Level::Info, text, std::forward<Args>(args)...);
}

template <class... Args>
void warn(Text<std::type_identity_t<Args>...> text, Args&&... args) {
  line(Level::Warn, text, std::forward<Args>(args)...);
}

template <class... Args>
void error(Text<std::type_identity_t<Args>...> text, Args&&... args) {
  line(Level::Error, text, std::forward<Args>(args)...);
}

}  // namespace godwit::log
