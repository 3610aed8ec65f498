#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "schema/definition.hpp"

// How a type declares itself, once; shape.hpp and what stands on it derive the rest.
namespace godwit::schema {

// Rules for single values (range, quantity, microseconds, words) hold for the elements of a list or map.
struct Rules {
  bool required = false;
  bool immutable = false;
  bool quantity = false;
  bool microseconds = false;
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::span<const std::string_view> words = {};
  std::string_view alias = {};
  bool listOfOne = false;
};

// Must be there, and is always written.
inline constexpr auto required = [](Rules& rules) { rules.required = true; };
// Keeps its first value. Has no meaning inside the elements of a list: put it on the list.
inline constexpr auto immutable = [](Rules& rules) { rules.immutable = true; };
// A text that must be a Kubernetes quantity; a bare number is taken as well.
inline constexpr auto quantity = [](Rules& rules) { rules.quantity = true; };
// A time that is written with microseconds, as metav1.MicroTime is.
inline constexpr auto microseconds = [](Rules& rules) { rules.microseconds = true; };

constexpr auto between(std::int64_t low, std::int64_t high) {
  return [=](Rules& rules) {
    rules.min = low;
    rules.max = high;
  };
}

constexpr auto atLeast(std::int64_t low) {
  return [=](Rules& rules) { rules.min = low; };
}

// A text that must be one of these. Where code tells them apart, an enumeration does it better.
template <std::size_t N>
constexpr auto oneOf(const std::string_view (&words)[N]) {
  return [words = std::span<const std::string_view>(words)](Rules& rules) { rules.words = words; };
}

// Another spelling that is understood; only the name itself is ever written.
constexpr auto alias(std::string_view otherName) {
  return [=](Rules& rules) { rules.alias = otherName; };
}

// An object that may also be spelled as a list with it alone; a longer list would be ambiguous, and is refused.
inline constexpr auto orListOfOne = [](Rules& rules) { rules.listOfOne = true; };

template <auto Member>
struct Field {
  std::string_view name;
  std::string_view doc;
  Rules rules;
};

// The member may belong to a base class of the type that declares it.
template <auto Member, class... Apply>
constexpr Field<Member> field(std::string_view name, std::string_view doc, Apply... apply) {
  Field<Member> declared{name, doc, {}};
  (apply(declared.rules), ...);
  return declared;
}

// Stands beside the fields of a type that may have others, too.
struct Open {};
inline constexpr Open open;

// Stands beside the fields of a type, with the names of others that belong to it as people know it. They are
// kept with whatever they hold, and nothing acts on them: whoever sets one is told so.
template <std::size_t N>
struct Kept {
  std::array<std::string_view, N> names;
};

template <class... Names>
constexpr Kept<sizeof...(Names)> kept(Names... names) {
  return {{std::string_view(names)...}};
}

// A declaration shows its parts to whoever visits it. It is a closure, as a tuple of so many takes a compiler longer
// to make than all that is derived from it.
template <class... Parts>
constexpr auto object(Parts... parts) {
  return [parts...](auto&& visit) { return visit(parts...); };
}

// What a base class declares, and more.
template <class Base, class... Parts>
constexpr auto extended(Base base, Parts... parts) {
  return [base, parts...](auto&& visit) { return base([&](const auto&... own) { return visit(own..., parts...); }); };
}

// To be specialised with object(field<&T::member>("name", "doc", rules...)..., [open | kept("name"...)]).
// Member initialisers are the defaults; T needs operator==.
template <class T>
inline constexpr auto schema = object();

// To be specialised for what is an object of its own, not just a part of one.
template <class T>
inline constexpr Kind kind = {};

// To be specialised with an array of {enumerator, name}; "" is the name of what is not set.
template <class E>
inline constexpr auto names = std::array<std::pair<E, std::string_view>, 0>{};

template <class E>
constexpr std::string_view nameOf(E value) {
  for (const auto& [known, name] : names<E>)
    if (known == value) return name;
  return {};
}

template <class E>
constexpr std::optional<E> named(std::string_view text) {
  for (const auto& [value, name] : names<E>)
    if (name == text) return value;
  return std::nullopt;
}

}  // namespace godwit::schema
