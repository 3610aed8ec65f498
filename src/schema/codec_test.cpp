#include "schema/codec.hpp"

#include <gtest/gtest.h>

#include "schema/example_test.hpp"

namespace godwit::schema {
namespace {

using namespace std::chrono_literals;

Cart everyFieldSet() {
  Cart cart;
  cart.metadata.name = "a";
  cart.metadata.nameSpace = "b";
  cart.metadata.labels = {{"x", "y"}};
  cart.metadata.ownerReferences = {{"v1", "Cart", "b", "u", true, false}};
  cart.spec.label = "Lorry";
  cart.spec.owner = "me";
  cart.spec.driver = "";
  cart.spec.color = Color::Green;
  cart.spec.mode = Mode::Fast;
  cart.spec.braked = false;
  cart.spec.speed = INT64_MAX;
  cart.spec.gear = 0;
  cart.spec.load = "5Gi";
  cart.spec.spare = {"back", 1};
  cart.spec.steering = {"", 32};
  cart.spec.fifth = Wheel{};
  cart.spec.wheels = {{"left", 32}, {"right", 3}};
  cart.spec.limits = {{"cpu", "1"}};
  cart.spec.wheelsByName = {{"one", {"x", 2}}};
  cart.spec.anything = json::array{1, nullptr};
  cart.spec.extra = {{"a", nullptr}};
  cart.status.movedAt = Timestamp(1s);
  cart.status.seenAt = Timestamp(1500ms);
  return cart;
}

TEST(Write, IsReadBackAsItWas) {
  const Cart cart = everyFieldSet();
  EXPECT_EQ(view<Cart>(write(cart)), cart);
  EXPECT_EQ(view<Cart>(write(Cart{})), Cart{});
}

TEST(Write, LeavesOutWhatHasItsInitialValueButNotWhatIsRequired) {
  EXPECT_EQ(write(Cart{}), json::parse(R"({"apiVersion": "carts.example/v1", "kind": "Cart", "spec": {"owner": ""}})"));
  EXPECT_EQ(write(CartSpec{}), json::parse(R"({"owner": ""})"));
}

TEST(Write, ComparesWithTheInitialValueOfTheWholeObject) {
  CartSpec spec;
  spec.steering = {.place = "front", .spokes = 32};
  EXPECT_EQ(write(spec), json::parse(R"({"owner": "", "steering": {"place": "front", "spokes": 32}})"));
}

TEST(Write, KeepsWhatIsSetToNothing) {
  CartSpec spec;
  spec.driver = "";
  spec.gear = 0;
  spec.fifth = Wheel{};
  EXPECT_EQ(write(spec), json::parse(R"({"owner": "", "driver": "", "gear": 0, "fifth": {"place": ""}})"));
}

TEST(Write, UsesTheNameAndNotTheAlias) {
  const auto spec = view<CartSpec>(json::parse(R"({"owner": "me", "wheel": [{"place": "a"}]})"));
  EXPECT_EQ(write(spec), json::parse(R"({"owner": "me", "wheels": [{"place": "a"}]})"));
}

TEST(Write, GivesTimesThePrecisionTheyDeclare) {
  const CartStatus status{.movedAt = Timestamp(1500ms), .seenAt = Timestamp(1500ms)};
  EXPECT_EQ(write(status),
            json::parse(R"({"movedAt": "1970-01-01T00:00:01Z", "seenAt": "1970-01-01T00:00:01.500000Z"})"));
}

TEST(View, KeepsTheInitialValueOfWhatIsOfTheWrongType) {
  const auto document = json::parse(R"({
    "label": 1, "owner": {}, "driver": 7, "color": "Blue", "mode": 3, "braked": "no", "speed": "fast", "gear": 3000000000,
    "load": [], "spare": "none", "fifth": 5, "wheels": {}, "limits": [], "extra": [], "steering": {"spokes": "many"}})");
  EXPECT_EQ(view<CartSpec>(document), CartSpec{});
  EXPECT_EQ(view<CartSpec>(json::value("cart")), CartSpec{});
  EXPECT_EQ(view<CartStatus>(json::parse(R"({"movedAt": "soon", "seenAt": 1})")), CartStatus{});
}

TEST(View, KeepsElementsInTheirPlaces) {
  const auto spec = view<CartSpec>(json::parse(R"({"wheels": [7, {"place": "b"}]})"));
  EXPECT_EQ(spec.wheels, (std::vector<Wheel>{{"", 32}, {"b", 32}}));
}

TEST(View, PrefersTheNameToTheAlias) {
  const auto spec = view<CartSpec>(json::parse(R"({"wheel": [{}], "wheels": []})"));
  EXPECT_TRUE(spec.wheels.empty());
}

TEST(View, TakesABareNumberForAQuantity) {
  const auto spec = view<CartSpec>(json::parse(R"({"load": 12, "limits": {"cpu": 2}})"));
  EXPECT_EQ(spec.load, "12");
  EXPECT_EQ(spec.limits.at("cpu"), "2");
}

TEST(Names, GoBothWays) {
  static_assert(nameOf(Color::Green) == "Green");
  static_assert(named<Color>("Green") == Color::Green);
  static_assert(!named<Color>("Blue"));
}

}  // namespace
}  // namespace godwit::schema
