#include "subresources/new_migration.hpp"

#include <gtest/gtest.h>

namespace godwit::subresources {
namespace {

std::string completed(const char* text) {
  object::Document document = object::parseDocument(text).value();
  completeMigration(document);
  return json::serialize(document);
}

TEST(NewMigration, IsHeldOnToAndNamesItsInstance) {
  EXPECT_EQ(completed(R"({"metadata":{"name":"m"},"spec":{"vmiName":"db"}})"),
            R"({"metadata":{"name":"m","finalizers":["kubevirt.io/migrationJobFinalize"],)"
            R"("labels":{"kubevirt.io/vmi-name":"db"}},"spec":{"vmiName":"db"}})");
}

TEST(NewMigration, KeepsWhatItHas) {
  EXPECT_EQ(completed(R"({"metadata":{"finalizers":["a/b","kubevirt.io/migrationJobFinalize"],"labels":{"x":"y"}},)"
                      R"("spec":{"vmiName":"db"}})"),
            R"({"metadata":{"finalizers":["a/b","kubevirt.io/migrationJobFinalize"],)"
            R"("labels":{"x":"y","kubevirt.io/vmi-name":"db"}},"spec":{"vmiName":"db"}})");
}

TEST(NewMigration, IsLeftToOthersIfItMakesNoSense) {
  for (const char* text : {R"({"metadata":7,"spec":{"vmiName":"db"}})", R"({"metadata":{"name":"m"},"spec":{}})",
                           R"({"metadata":{"finalizers":"all","labels":[]},"spec":{"vmiName":"db"}})"})
    EXPECT_EQ(completed(text), text);
}

}  // namespace
}  // namespace godwit::subresources
