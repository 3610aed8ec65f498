#include "schema/define.hpp"

#include <gtest/gtest.h>

#include "schema/example_test.hpp"

namespace godwit::schema {
namespace {

using Problems = std::vector<FieldProblem>;

json::object document(std::string_view text) { return json::parse(text).as_object(); }

Problems changing(std::string_view before, std::string_view after) {
  return define<Cart>().checkUpdate(document(before), document(after));
}

TEST(CheckUpdate, LetsOtherFieldsChange) {
  EXPECT_EQ(changing(R"({"metadata": {"name": "a"}, "spec": {"owner": "me", "speed": 1}})",
                     R"({"metadata": {"name": "b"}, "spec": {"owner": "me", "speed": 2}})"),
            Problems());
}

TEST(CheckUpdate, HoldsImmutableFields) {
  EXPECT_EQ(changing(R"({"spec": {"owner": "me", "label": "a"}})", R"({"spec": {"owner": "you", "label": "b"}})"),
            (Problems{{"spec.label", R"(Invalid value: "b": field is immutable)"},
                      {"spec.owner", R"(Invalid value: "you": field is immutable)"}}));
}

TEST(CheckUpdate, ComparesDeeply) {
  const auto wheel = R"({"spec": {"fifth": {"place": "a", "spokes": 1}}})";
  EXPECT_EQ(changing(wheel, R"({"spec": {"fifth": {"spokes": 1, "place": "a"}}})"), Problems());
  EXPECT_EQ(changing(wheel, R"({"spec": {"fifth": {"place": "a"}}})"),
            (Problems{{"spec.fifth", R"(Invalid value: {"place":"a"}: field is immutable)"}}));
}

TEST(CheckUpdate, CountsComingAndGoingAsChange) {
  EXPECT_EQ(changing(R"({"spec": {"label": "a"}})", R"({"spec": {}})"),
            (Problems{{"spec.label", "Invalid value: null: field is immutable"}}));
  EXPECT_EQ(changing(R"({"spec": {}})", R"({"spec": {"label": "a"}})"),
            (Problems{{"spec.label", R"(Invalid value: "a": field is immutable)"}}));
  EXPECT_EQ(changing(R"({"spec": {}})", R"({"spec": {"label": null}})"), Problems());
}

TEST(ApplyDefaults, FillsInWhatIsDeclared) {
  json::object cart = document(R"({"spec": {"owner": "me", "speed": 7, "braked": null, "fifth": {"place": "x"},
                                            "wheel": [{}], "wheelsByName": {"a": {}}, "steering": {}}})");
  define<Cart>().applyDefaults(cart);
  EXPECT_EQ(cart, document(R"({"spec": {"owner": "me", "speed": 7, "braked": true, "mode": "Slow",
      "fifth": {"place": "x", "spokes": 32}, "wheel": [{"spokes": 32}], "wheelsByName": {"a": {"spokes": 32}},
      "steering": {"spokes": 8}}})"));
}

TEST(ApplyDefaults, LeavesAbsentObjectsAbsent) {
  json::object cart;
  define<Cart>().applyDefaults(cart);
  EXPECT_EQ(cart, json::object());
}

TEST(Define, ChecksWholeObjects) {
  const auto definition = define<Cart>();
  EXPECT_EQ(definition.kind.plural, "carts");
  EXPECT_EQ(definition.check(document(R"({"metadata": 7, "spec": {}})")).problems,
            (Problems{{"spec.owner", "Required value"}}));
}

TEST(ApiVersion, LeavesTheCoreGroupUnsaid) {
  EXPECT_EQ(apiVersion(kind<Cart>), "carts.example/v1");
  Kind core = kind<Cart>;
  core.group = "";
  EXPECT_EQ(apiVersion(core), "v1");
}

TEST(Crd, SaysWhatKubernetesMustKnow) {
  json::object crd = schema::crd(define<Cart>());
  json::object& version = crd["spec"].at("versions").as_array().at(0).as_object();
  EXPECT_EQ(version["schema"].at("openAPIV3Schema"), openApi<Cart>());
  version.erase("schema");
  EXPECT_EQ(crd, document(R"({
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "carts.carts.example"},
    "spec": {
      "group": "carts.example", "scope": "Namespaced",
      "names": {"kind": "Cart", "listKind": "CartList", "plural": "carts", "singular": "cart", "shortNames": ["ct"]},
      "versions": [{
        "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
        "additionalPrinterColumns": [
          {"name": "Owner", "type": "string", "jsonPath": ".spec.owner"},
          {"name": "Gear", "type": "integer", "jsonPath": ".spec.gear", "priority": 1},
          {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}],
        "selectableFields": [{"jsonPath": ".spec.owner"}]}]}})"));
}

}  // namespace
}  // namespace godwit::schema
