#include "cli/table.hpp"

#include <gtest/gtest.h>

namespace godwit::cli {
namespace {

TEST(Table, MakesColumnsAsWideAsTheirWidestCell) {
  Table table({"NODE", "READY"});
  table.add({"node-100", "yes"});
  table.add({"a", ""});
  EXPECT_EQ(table.text(),
            "NODE       READY\n"
            "node-100   yes\n"
            "a\n");
}

}  // namespace
}  // namespace godwit::cli
