#include "object/yaml.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace godwit::object {
namespace {

json::value only(std::string_view text) {
  const auto documents = parseYaml(text);
  EXPECT_TRUE(documents) << documents.error().message;
  if (!documents || documents->size() != 1) return "not one document";
  return documents->front();
}

TEST(ParseYaml, ReadsTheTypesThatKubernetesReads) {
  const std::pair<const char*, const char*> cases[] = {
      {"text", R"("text")"},
      {"'yes'", R"("yes")"},
      {"\"1.0\"", R"("1.0")"},
      {"yes", "true"},
      {"Off", "false"},
      {"true", "true"},
      {"12", "12"},
      {"-12", "-12"},
      {"+12", "12"},
      {"0644", "420"},
      {"0x1F", "31"},
      {"0b101", "5"},
      {"1_000", "1000"},
      {"0", "0"},
      {"1.5", "1.5"},
      {"1e3", "1000.0"},
      {".5", "0.5"},
      {"128Mi", R"("128Mi")"},
      {"1.2.3", R"("1.2.3")"},
      {"08", R"(8.0)"},
      {"-", R"([null])"},
      {"[1, a, ~]", R"([1,"a",null])"},
      {"inf", R"("inf")"},
      {"{a: }", R"({"a":null})"},
      {"!!str 12", R"("12")"},
      {"2026-01-02", R"("2026-01-02")"},
      {"18446744073709551615", "18446744073709551615"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"a: |\n  one\n  two\n", R"({"a":"one\ntwo\n"})"},
      {"a: >-\n  one\n  two\n", R"({"a":"one two"})"},
      {"1: a\ntrue: b", R"({"1":"a","true":"b"})"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(only(text), json::parse(expected)) << text;
}

TEST(ParseYaml, SkipsEmptyDocuments) {
  const auto documents = parseYaml("# nothing\n---\na: 1\n---\n---\n# again\n---\n- 2\n...\n");
  ASSERT_TRUE(documents);
  EXPECT_EQ(*documents, (std::vector<json::value>{json::parse(R"({"a":1})"), json::parse("[2]")}));
  EXPECT_TRUE(parseYaml("")->empty());
}

TEST(ParseYaml, ReadsJson) {
  EXPECT_EQ(only(R"({"a": [1, "b\n", null], "c": {}})"), json::parse(R"({"a":[1,"b\n",null],"c":{}})"));
}

TEST(ParseYaml, FollowsAnchorsAndMergesMaps) {
  EXPECT_EQ(only("a: &x {n: 1, m: 2}\nb: *x\nc:\n  <<: *x\n  m: 3\nd: {<<: [{n: 5}, *x]}"),
            json::parse(R"({"a":{"n":1,"m":2},"b":{"n":1,"m":2},"c":{"m":3,"n":1},"d":{"n":5,"m":2}})"));
}

TEST(ParseYaml, RefusesWhatItCannotRead) {
  for (const char* text : {"a: [", "a: b: c", "\tx: 1", "*unknown", "a: 1\na: 2", "[1]: 2", ".nan", "a: -.inf", "<<: 1",
                           "\"open", "<<: [1]"}) {
    const auto documents = parseYaml(text);
    ASSERT_FALSE(documents) << text;
    EXPECT_EQ(documents.error().code, Code::Invalid) << text;
  }
}

TEST(ParseYaml, SaysTheLine) {
  EXPECT_EQ(parseYaml("a: 1\nb: 2\na: 3").error().message, "cannot read YAML: line 3: key \"a\" is given twice");
}

TEST(ParseYaml, RefusesAnAliasBomb) {
  std::string bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 12; ++i)
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  const auto documents = parseYaml(bomb);
  ASSERT_FALSE(documents);
  EXPECT_EQ(documents.error().code, Code::Invalid);
}

TEST(ParseYaml, RefusesWhatIsTooDeepTooLongOrWithoutEnd) {
  EXPECT_FALSE(parseYaml(std::string(200, '[') + std::string(200, ']')));
  EXPECT_FALSE(parseYaml(std::string(1'000'000, '[')));
  EXPECT_FALSE(parseYaml(std::string(9 << 20, ' ')));
  EXPECT_FALSE(parseYaml("&a [*a]"));
}

TEST(WriteYaml, WritesBlocksInTheOrderOfTheDocument) {
  const auto value =
      json::parse(R"({"kind":"Cart","spec":{"wheels":[{"place":"a","spokes":3},{"place":"b"}],"list":["x",["y","z"]],
                                     "none":{},"empty":[]},"z":null,"f":1.0,"t":true})");
  EXPECT_EQ(writeYaml(value), R"(kind: Cart
spec:
  wheels:
  - place: a
    spokes: 3
  - place: b
  list:
  - x
  - - "y"
    - z
  none: {}
  empty: []
z: null
f: 1.0
t: true
)");
}

TEST(WriteYaml, QuotesTextsThatWouldBeReadAsSomethingElse) {
  for (const char* text : {"yes",   "no",  "on",   "y",    "true",  "null", "~",  "",
                           "1.0",   "12",  "0x1F", "1e3",  "1_000", ".nan", "-",  "2026-01-02T03:04:05Z",
                           "12:30", "<<",  "=",    "a: b", "a #b",  " a",   "a ", "a:",
                           "# a",   "&a",  "*a",   "!a",   "@a",    "`a",   "{a", "[a",
                           "'a",    "\"a", "%a",   "|",    ">",     "?",    "\t", "a\rb",
                           "\n",    "---"})
    EXPECT_EQ(writeYaml(json::value(text)), json::serialize(json::value(text)) + "\n") << text;
}

TEST(WriteYaml, LeavesOtherTextsPlain) {
  for (const char* text :
       {"db-1", "a b", "kubevirt.io/v1", "128Mi", "a:b", "a#b", "http://x:80/y", "it's", "größe", "$x", "/dev/vda"})
    EXPECT_EQ(writeYaml(json::value(text)), std::string(text) + "\n");
}

TEST(WriteYaml, WritesTextOfManyLinesAsABlock) {
  EXPECT_EQ(writeYaml(json::parse(R"({"a":"one\n  two\n\nthree\n","b":["x\ny"]})")),
            "a: |\n  one\n    two\n\n  three\nb:\n- |-\n  x\n  y\n");
}

TEST(WriteYaml, IsReadBackAsItWas) {
  const json::value awkward = {
      {"yes", "yes"},
      {"1", 1},
      {"1.0", 1.0},
      {"text", "a\nb"},
      {"kept", "a\n\n"},
      {"one", "a\n"},
      {"only", "\n\n"},
      {"led", " a\nb\n"},
      {"tab", "\ta\n\tb"},
      {"", {{"deep", {{"list", {1, {{"x", "p\nq\n"}, {"y", json::array{json::array{}, json::object{}}}}}}}}}},
      {"big", INT64_MAX},
      {"tiny", 1e-300},
      {"huge", 1e300},
      {"third", 1.0 / 3},
      {"null", nullptr},
      {"quote", "\"'\\"},
      {"control", "\x01\x7f"},
      {"trail", "a \nb"},
      {"hash: #", "- a"},
      {"sep", "a\u2028b"},
      {"unsigned", UINT64_MAX},
      {"docs", "---\n...\n"},
  };
  EXPECT_EQ(only(writeYaml(awkward)), awkward) << writeYaml(awkward);
}

}  // namespace
}  // namespace godwit::object
