#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

// Errors are values. This is the only file that names tl::, so that
// std::expected can take its place when the compiler allows.
namespace godwit {

// One code per reaction a caller could sensibly have; detail goes in the message.
enum class Code { NotFound, AlreadyExists, Conflict, Invalid, Forbidden, Gone, Unavailable, Timeout, Internal };

// One field of an object that is wrong, named by its path ("spec.vmiName").
struct FieldProblem {
  std::string path;
  std::string problem;

  bool operator==(const FieldProblem&) const = default;
};

struct Error {
  Code code;
  std::string message;
  std::vector<FieldProblem> problems = {};

  bool operator==(const Error&) const = default;
};

template <class T = void>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

inline Failure fail(Code code, std::string message) { return Failure(Error{code, std::move(message), {}}); }
inline Failure fail(Error error) { return Failure(std::move(error)); }

// Says which thing failed, where the message alone would not.
inline Error within(std::string_view what, Error error) {
  error.message = std::string(what) + ": " + error.message;
  return error;
}

constexpr bool worthRetrying(Code code) {
  return code == Code::Conflict || code == Code::Unavailable || code == Code::Timeout;
}

namespace detail {
template <class T>
T unwrap(tl::expected<T, Error>&& result) {
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

[[noreturn]] void stopOnBrokenPromise(const char* condition, const char* why, const char* file, int line);
}  // namespace detail

}  // namespace godwit

// The value of `expression`, or return its error from the enclosing function. May be nested. Never within the braces
// that make an object: the compiler forgets to destroy the members that are already there.
#define TRY(expression) TRY_NAMING_COUNTER(expression, __COUNTER__)
#define TRY_NAMING_COUNTER(expression, counter) TRY_PASTE(expression, counter)
#define TRY_PASTE(expression, counter) TRY_NAMED(expression, try_result_##counter)
#define TRY_NAMED(expression, name)                              \
  __extension__({                                                \
    auto name = (expression);                                    \
    if (!name) return ::tl::unexpected(std::move(name).error()); \
    ::godwit::detail::unwrap(std::move(name));                   \
  })

// A promise of the code to itself: a broken one is a bug, and ends the process.
#define ENSURE(condition, why) \
  ((condition) ? void(0) : ::godwit::detail::stopOnBrokenPromise(#condition, why, __FILE__, __LINE__))
