#pragma once

#include "schema/define.hpp"
#include "schema/metadata.hpp"
#include "schema/openapi.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

// A kind for the tests of this room, with a field of every type there is.
namespace godwit::schema {

enum class Color { Unset, Red, Green };

template <>
inline constexpr auto names<Color> = std::to_array<std::pair<Color, std::string_view>>({{Color::Unset, ""},
                                                                                        {Color::Red, "Red"},
                                                                                        {Color::Green, "Green"}});

enum class Mode { Slow, Fast };

template <>
inline constexpr auto names<Mode> = std::to_array<std::pair<Mode, std::string_view>>({{Mode::Slow, "Slow"},
                                                                                      {Mode::Fast, "Fast"}});

struct Wheel {
  std::string place;
  int spokes = 32;

  bool operator==(const Wheel&) const = default;
};

template <>
inline constexpr auto schema<Wheel> = object(field<&Wheel::place>("place", "Where it turns.", required),
                                             field<&Wheel::spokes>("spokes", "How many spokes it has.",
                                                                   between(0, 48)));

struct Named {
  std::string label;

  bool operator==(const Named&) const = default;
};

struct CartSpec : Named {
  std::string owner;
  std::optional<std::string> driver;
  Color color = Color::Unset;
  Mode mode = Mode::Slow;
  bool braked = true;
  std::int64_t speed = 300;
  std::optional<int> gear;
  std::string load;
  Wheel spare;
  Wheel steering{.place = "front", .spokes = 8};
  std::optional<Wheel> fifth;
  std::optional<Wheel> lent;
  std::vector<Wheel> wheels;
  std::map<std::string, std::string> limits;
  std::map<std::string, Wheel> wheelsByName;
  json::value anything;
  json::object extra;

  bool operator==(const CartSpec&) const = default;
};

template <>
inline constexpr auto schema<CartSpec> = object(
    field<&CartSpec::label>("label", "What it is called.", immutable),
    field<&CartSpec::owner>("owner", "Who owns it.", required, immutable),
    field<&CartSpec::driver>("driver", "Who drives it."), field<&CartSpec::color>("color", "Its color."),
    field<&CartSpec::mode>("mode", "How it goes."), field<&CartSpec::braked>("braked", "Whether it has a brake."),
    field<&CartSpec::speed>("speed", "How fast it is.", between(1, 60'000)),
    field<&CartSpec::gear>("gear", "The gear it is in.", atLeast(1)),
    field<&CartSpec::load>("load", "What it carries.", quantity), field<&CartSpec::spare>("spare", "The spare wheel."),
    field<&CartSpec::steering>("steering", "The steering wheel."),
    field<&CartSpec::fifth>("fifth", "One more wheel.", immutable),
    field<&CartSpec::lent>("lent", "A wheel of somebody else's.", immutable, orListOfOne),
    field<&CartSpec::wheels>("wheels", "Its wheels.", alias("wheel")),
    field<&CartSpec::limits>("limits", "What it can bear.", quantity),
    field<&CartSpec::wheelsByName>("wheelsByName", "Its wheels, by name."),
    field<&CartSpec::anything>("anything", "Whatever."), field<&CartSpec::extra>("extra", "Whatever is an object."));

struct CartStatus {
  std::optional<Timestamp> movedAt;
  Timestamp seenAt;

  bool operator==(const CartStatus&) const = default;
};

template <>
inline constexpr auto schema<CartStatus> = object(field<&CartStatus::movedAt>("movedAt", "When it moved last."),
                                                  field<&CartStatus::seenAt>("seenAt", "When it was seen last.",
                                                                             microseconds),
                                                  open);

struct Cart {
  Metadata metadata;
  CartSpec spec;
  CartStatus status;

  bool operator==(const Cart&) const = default;
};

template <>
inline constexpr auto schema<Cart> = object(field<&Cart::metadata>("metadata", "Metadata."),
                                            field<&Cart::spec>("spec", "What is wanted.", required),
                                            field<&Cart::status>("status", "What is."));

inline constexpr std::string_view kCartShortNames[] = {"ct"};
inline constexpr std::string_view kCartFieldSelectors[] = {"spec.owner"};
inline constexpr Column kCartColumns[] = {
    {"Owner", ".spec.owner"},
    {"Gear", ".spec.gear", "integer", 1},
    {"Age", ".metadata.creationTimestamp", "date"},
};

template <>
inline constexpr Kind kind<Cart> = {
    .group = "carts.example",
    .version = "v1",
    .name = "Cart",
    .plural = "carts",
    .singular = "cart",
    .shortNames = kCartShortNames,
    .columns = kCartColumns,
    .fieldSelectors = kCartFieldSelectors,
};

}  // namespace godwit::schema
