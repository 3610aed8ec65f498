#include "storage/tgt.hpp"

#include <gtest/gtest.h>

namespace godwit::storage {
namespace {

TEST(Targets, AreReadFromWhatTgtadmShows) {
  const auto targets = parseTargets(R"(Target 1: iqn.2026-11.io.godwit:a
    System information:
        Driver: iscsi
    LUN information:
        LUN: 0
            Type: controller
            Backing store path: None
        LUN: 1
            Type: disk
            Backing store path: /luns/a b/disk.img
    Account information:
    ACL information:
        ALL
Target 12: iqn.2026-11.io.godwit:half
    LUN information:
        LUN: 0
            Backing store path: None
    ACL information:
)");
  EXPECT_EQ(targets, (std::vector<Target>{{1, "iqn.2026-11.io.godwit:a", "/luns/a b/disk.img", true},
                                          {12, "iqn.2026-11.io.godwit:half"}}));
}

TEST(Targets, AreNoneWhereNothingIsShown) { EXPECT_TRUE(parseTargets("").empty()); }

}  // namespace
}  // namespace godwit::storage
