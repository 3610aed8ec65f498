#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "base/clock.hpp"
#include "schema/shape.hpp"

// The C++ types that a field may have, and the shape of each: shapeOf<T>.
namespace godwit::schema {

template <class T>
constexpr Shape makeShape();

template <class T>
inline constexpr Shape shapeOf = makeShape<T>();

// The same behind a function: a header that declares it `extern template` for its type spares all who
// include it the making of the shape, which is most of what they would compile.
template <class T>
const Shape& shapeFor() {
  return shapeOf<T>;
}

// Reads and writes one C++ type. `read` says whether the value was of the right form, and leaves `into` alone if not.
template <class T>
struct Codec;

template <>
struct Codec<bool> {
  static constexpr Shape shape() { return {.form = Form::Boolean}; }
  static bool read(const json::value& from, bool& into, const Rules&);
  static json::value write(bool from, bool, const Rules&) { return from; }
};

template <>
struct Codec<std::int64_t> {
  using Limits = std::numeric_limits<std::int64_t>;
  static constexpr Shape shape() { return {.form = Form::Integer, .lowest = Limits::min(), .highest = Limits::max()}; }
  static bool read(const json::value& from, std::int64_t& into, const Rules&);
  static json::value write(std::int64_t from, std::int64_t, const Rules&) { return from; }
};

template <>
struct Codec<int> {
  using Limits = std::numeric_limits<int>;
  static constexpr Shape shape() { return {.form = Form::Integer, .lowest = Limits::min(), .highest = Limits::max()}; }
  static bool read(const json::value& from, int& into, const Rules&);
  static json::value write(int from, int, const Rules&) { return from; }
};

template <>
struct Codec<std::string> {
  static constexpr Shape shape() { return {.form = Form::Text}; }
  static bool read(const json::value& from, std::string& into, const Rules& rules);
  static json::value write(const std::string& from, const std::string&, const Rules&) { return json::value(from); }
};

template <>
struct Codec<Timestamp> {
  static constexpr Shape shape() { return {.form = Form::Time}; }
  static bool read(const json::value& from, Timestamp& into, const Rules&);
  static json::value write(Timestamp from, Timestamp, const Rules& rules);
};

template <>
struct Codec<json::value> {
  static constexpr Shape shape() { return {.form = Form::Free}; }
  static bool read(const json::value& from, json::value& into, const Rules&);
  static json::value write(const json::value& from, const json::value&, const Rules&) { return from; }
};

template <>
struct Codec<json::object> {
  static constexpr Shape shape() { return {.form = Form::FreeObject}; }
  static bool read(const json::value& from, json::object& into, const Rules&);
  static json::value write(const json::object& from, const json::object&, const Rules&) { return from; }
};

template <class X>
const X& initialOf() {
  static const X initial{};
  return initial;
}

template <class X>
struct Codec<std::optional<X>> {
  static constexpr Shape shape() { return {.form = Form::Optional, .element = &shapeOf<X>}; }

  static bool read(const json::value& from, std::optional<X>& into, const Rules& rules) {
    X value{};
    if (!Codec<X>::read(from, value, rules)) return false;
    into = std::move(value);
    return true;
  }

  static json::value write(const std::optional<X>& from, const std::optional<X>&, const Rules& rules) {
    if (!from) return nullptr;
    return Codec<X>::write(*from, initialOf<X>(), rules);
  }
};

// An element of another form is read as X{}, so that the others keep their places.
template <class X>
struct Codec<std::vector<X>> {
  static constexpr Shape shape() { return {.form = Form::List, .element = &shapeOf<X>}; }

  static bool read(const json::value& from, std::vector<X>& into, const Rules& rules) {
    const auto* array = from.if_array();
    if (!array) return false;
    into.assign(array->size(), X{});
    for (std::size_t i = 0; i < array->size(); ++i) Codec<X>::read((*array)[i], into[i], rules);
    return true;
  }

  static json::value write(const std::vector<X>& from, const std::vector<X>&, const Rules& rules) {
    json::array written;
    written.reserve(from.size());
    for (const X& element : from) written.push_back(Codec<X>::write(element, initialOf<X>(), rules));
    return written;
  }
};

template <class X>
struct Codec<std::map<std::string, X>> {
  using Map = std::map<std::string, X>;
  static constexpr Shape shape() { return {.form = Form::Map, .element = &shapeOf<X>}; }

  static bool read(const json::value& from, Map& into, const Rules& rules) {
    const auto* object = from.if_object();
    if (!object) return false;
    into.clear();
    for (const auto& [key, value] : *object) Codec<X>::read(value, into[std::string(key)], rules);
    return true;
  }

  static json::value write(const Map& from, const Map&, const Rules& rules) {
    json::object written;
    for (const auto& [key, element] : from) written[key] = Codec<X>::write(element, initialOf<X>(), rules);
    return written;
  }
};

template <class E>
consteval auto wordsOf() {
  constexpr auto isSet = [](const auto& named) { return !named.second.empty(); };
  std::array<std::string_view, std::count_if(names<E>.begin(), names<E>.end(), isSet)> words;
  std::size_t next = 0;
  for (const auto& named : names<E>)
    if (isSet(named)) words[next++] = named.second;
  return words;
}

template <class E>
inline constexpr auto kWords = wordsOf<E>();

template <class E>
requires std::is_enum_v<E>
struct Codec<E> {
  static_assert(!names<E>.empty(), "an enumeration in a schema needs names<E>");
  static constexpr Shape shape() { return {.form = Form::Word, .words = kWords<E>}; }

  // A word that is not known, as a newer peer may write it, is as good as none.
  static bool read(const json::value& from, E& into, const Rules&) {
    const auto* text = from.if_string();
    const auto value = text ? named<E>(*text) : std::nullopt;
    if (value) into = *value;
    return value.has_value();
  }

  static json::value write(E from, E, const Rules&) { return json::value(nameOf(from)); }
};

template <class T, auto Member>
void* memberIn(void* object) {
  return &(static_cast<T*>(object)->*Member);
}

template <class T, auto Member>
constexpr void append(const Field<Member>& field, Property*& next) {
  using Type = std::remove_cvref_t<decltype(std::declval<T&>().*Member)>;
  *next++ = {field.name, field.doc, field.rules, &shapeOf<Type>, memberIn<T, Member>};
}

template <class T>
constexpr void append(const Open&, Property*&) {}

template <class T, std::size_t N>
constexpr void append(const Kept<N>&, Property*&) {}

template <class Part>
inline constexpr bool kIsField = false;
template <auto Member>
inline constexpr bool kIsField<Field<Member>> = true;

template <class T>
inline constexpr std::size_t kFieldCount = schema<T>([]<class... Parts>(const Parts&...) {
  return (std::size_t{kIsField<Parts>} + ... + 0);
});

template <class T>
inline constexpr bool kOpen = schema<T>([]<class... Parts>(const Parts&...) {
  return (std::is_same_v<Parts, Open> || ...);
});

constexpr std::span<const std::string_view> keptIn(const auto&) { return {}; }
template <std::size_t N>
constexpr std::span<const std::string_view> keptIn(const Kept<N>& kept) {
  return kept.names;
}

// The names stand in the declaration itself, which is there for as long as the program runs.
template <class T>
constexpr std::span<const std::string_view> keptNames() {
  std::span<const std::string_view> names;
  schema<T>([&](const auto&... part) { ((names = names.empty() ? keptIn(part) : names), ...); });
  return names;
}

template <class T>
constexpr auto propertiesOf() {
  std::array<Property, kFieldCount<T>> properties;
  Property* next = properties.data();
  schema<T>([&](const auto&... part) { (append<T>(part, next), ...); });
  return properties;
}

template <class T>
inline constexpr auto kProperties = propertiesOf<T>();

template <class T>
requires std::is_class_v<T>
struct Codec<T> {
  static_assert(schema<T>([](const auto&... part) { return sizeof...(part) > 0; }),
                "a struct in a schema needs schema<T>");

  static constexpr Shape shape() {
    return {.form = Form::Object,
            .properties = kProperties<T>,
            .open = kOpen<T>,
            .kept = keptNames<T>(),
            .kind = kind<T>.name.empty() ? nullptr : &kind<T>};
  }

  static bool read(const json::value& from, T& into, const Rules&) {
    const auto* object = from.if_object();
    if (object) readObject(shapeOf<T>, *object, &into);
    return object != nullptr;
  }

  static json::value write(const T& from, const T& initial, const Rules&) {
    return writeObject(shapeOf<T>, &from, &initial);
  }
};

template <class T>
constexpr Shape makeShape() {
  Shape shape = Codec<T>::shape();
  shape.read = [](const json::value& from, void* into, const Rules& rules) {
    return Codec<T>::read(from, *static_cast<T*>(into), rules);
  };
  shape.write = [](const void* from, const void* initial, const Rules& rules) {
    return Codec<T>::write(*static_cast<const T*>(from), *static_cast<const T*>(initial), rules);
  };
  shape.equal = [](const void* left, const void* right) {
    return *static_cast<const T*>(left) == *static_cast<const T*>(right);
  };
  shape.initial = []() -> const void* { return &initialOf<T>(); };
  return shape;
}

}  // namespace godwit::schema
