#include "apiserver/table.hpp"

#include <gtest/gtest.h>

namespace godwit::apiserver {
namespace {

TEST(Table, SaysOfWhatIsToGoThatItIsTerminating) {
  const schema::Column columns[] = {{.name = "Status", .path = ".status.phase", .tellsDeletion = true},
                                    {.name = "Phase", .path = ".status.phase"}};
  schema::Kind kind{};
  kind.columns = columns;
  object::Document document = {{"metadata", {{"name", "a"}}}, {"status", {{"phase", "Bound"}}}};
  EXPECT_EQ(json::serialize(tableRow(kind, document, RowObject::None, {}).at("cells")), R"(["a","Bound","Bound"])");
  document["metadata"].as_object()["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_EQ(json::serialize(tableRow(kind, document, RowObject::None, {}).at("cells")),
            R"(["a","Terminating","Bound"])");
}

}  // namespace
}  // namespace godwit::apiserver
