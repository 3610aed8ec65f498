#include "base/image_reference.hpp"

#include <gtest/gtest.h>

namespace godwit {
namespace {

struct Written {
  std::string text;
  ImageReference meant;
};

const std::string kDigest = "sha256:" + std::string(64, 'a');

class AnImage : public testing::TestWithParam<Written> {};
INSTANTIATE_TEST_SUITE_P(
    Names, AnImage,
    testing::Values(Written{"quay.io/containerdisks/fedora:40", {"quay.io", "containerdisks/fedora", "40"}},
                    Written{"docker://quay.io/containerdisks/fedora", {"quay.io", "containerdisks/fedora", "latest"}},
                    Written{"alpine", {"registry-1.docker.io", "library/alpine", "latest"}},
                    Written{"docker.io/alpine:3", {"registry-1.docker.io", "library/alpine", "3"}},
                    Written{"someone/disk:1.0", {"registry-1.docker.io", "someone/disk", "1.0"}},
                    Written{"localhost:5000/disk", {"localhost:5000", "disk", "latest"}},
                    Written{"localhost/a/b-c:v_1", {"localhost", "a/b-c", "v_1"}},
                    Written{"[::1]:5000/disk:x", {"[::1]:5000", "disk", "x"}},
                    Written{"127.0.0.1:5000/disk@" + kDigest, {"127.0.0.1:5000", "disk", kDigest}},
                    Written{"quay.io/a/b:tag@" + kDigest, {"quay.io", "a/b", kDigest}}));

TEST_P(AnImage, IsWhereItsNameSays) { EXPECT_EQ(ImageReference::parse(GetParam().text).value(), GetParam().meant); }

class NoImage : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Names, NoImage,
                         testing::Values("", "docker://", "quay.io/", "Upper", "a//b", "/a", "a/", "a:", "a b",
                                         "a@sha256:1", "a:b c", "quay.io/a?x=y", "quay.io/../a", "a_", "-a"));

TEST_P(NoImage, IsRefusedByItsName) {
  const auto refused = ImageReference::parse(GetParam());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit
