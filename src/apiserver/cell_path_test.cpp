#include "apiserver/cell_path.hpp"

#include <gtest/gtest.h>

namespace godwit::apiserver {
namespace {

std::string cell(std::string_view path) {
  const json::object document =
      json::parse(R"({"a":{"b.c":1,"list":[{"type":"Ready","status":"True"},{"type":"Live","status":"False"}]}})")
          .as_object();
  const json::value* found = cellAt(document, path);
  return found != nullptr ? json::serialize(*found) : "nothing";
}

TEST(CellPath, FollowsNames) {
  EXPECT_EQ(cell(".a.b\\.c"), "1");
  EXPECT_EQ(cell(".a.nope"), "nothing");
  EXPECT_EQ(cell(".a.list.nope"), "nothing");
}

TEST(CellPath, PicksElements) {
  EXPECT_EQ(cell(".a.list[1].type"), "\"Live\"");
  EXPECT_EQ(cell(".a.list[7].type"), "nothing");
  EXPECT_EQ(cell(".a.list[?(@.type==\"Live\")].status"), "\"False\"");
  EXPECT_EQ(cell(".a.list[?(@.type=='Nope')].status"), "nothing");
}

TEST(CellPath, GivesNothingForWhatItCannotRead) {
  EXPECT_EQ(cell(".a[0]"), "nothing");
  EXPECT_EQ(cell(".a.list[?(@.type)]"), "nothing");
  EXPECT_EQ(cell(".a.list["), "nothing");
  EXPECT_EQ(cell("a"), "nothing");
}

}  // namespace
}  // namespace godwit::apiserver
