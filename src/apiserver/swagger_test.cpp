#include "apiserver/swagger.hpp"

#include <gtest/gtest.h>

namespace godwit::apiserver {
namespace {

using namespace std::string_literals;

json::object parsed(const char* text) { return json::parse(text).as_object(); }

// One length-delimited field; every length here fits into one byte, every number into two.
std::string field(unsigned number, const std::string& bytes) {
  const unsigned tag = number << 3 | 2;
  const std::string key = tag < 0x80 ? std::string{static_cast<char>(tag)}
                                     : std::string{static_cast<char>(tag | 0x80), static_cast<char>(tag >> 7)};
  return key + static_cast<char>(bytes.size()) + bytes;
}

TEST(Swagger, LeavesOutWhatItHasNoWordsFor) {
  const auto schema = parsed(R"({"type":"object","properties":{"size":{"anyOf":[{"type":"integer"}],
      "x-kubernetes-int-or-string":true,"default":1}},"required":["size"]})");
  EXPECT_EQ(json::serialize(swaggerSchema(schema)),
            R"({"type":"object","properties":{"size":{"x-kubernetes-int-or-string":true}},"required":["size"]})");
}

TEST(Swagger, ListsNoFieldsWhereAnyMayBe) {
  const auto schema = parsed(R"({"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}},
      "required":["a"],"x-kubernetes-preserve-unknown-fields":true}})");
  EXPECT_EQ(json::serialize(swaggerSchema(schema)),
            R"({"type":"array","items":{"type":"object","x-kubernetes-preserve-unknown-fields":true}})");
}

TEST(Swagger, HasAProtobufForm) {
  const auto document = parsed(R"({"swagger":"2.0","info":{"title":"T","version":"v1"},"paths":{},"definitions":{
      "W":{"type":"object","description":"d","x-k":[1],"properties":{"m":{"type":"object",
      "additionalProperties":{"type":"string"}},"l":{"type":"array","items":{"enum":["a"]}}}}}})");
  const std::string text = field(22, field(1, "string"));
  const std::string map = field(22, field(1, "object")) + field(21, field(1, text));
  const std::string list = field(22, field(1, "array")) + field(23, field(1, field(20, field(2, "\"a\""))));
  const std::string properties = field(1, field(1, "m") + field(2, map)) + field(1, field(1, "l") + field(2, list));
  const std::string widget = field(22, field(1, "object")) + field(4, "d") +
                             field(31, field(1, "x-k") + field(2, field(2, "[1]"))) + field(25, properties);
  EXPECT_EQ(swaggerProtobuf(document), field(1, "2.0") + field(2, field(1, "T") + field(2, "v1")) + field(8, "") +
                                           field(9, field(1, field(1, "W") + field(2, widget))));
}

}  // namespace
}  // namespace godwit::apiserver
