#include "http/uri.hpp"

#include <gtest/gtest.h>

namespace godwit::http {
namespace {

using Segments = std::vector<std::string>;

TEST(Target, SplitsPathAndQuery) {
  const Target target = parseTarget("/api/v1/namespaces/default/pods?watch=true&limit=5").value();

  EXPECT_EQ(target.segments, (Segments{"api", "v1", "namespaces", "default", "pods"}));
  EXPECT_EQ(target.query.find("watch"), "true");
  EXPECT_EQ(target.query.find("limit"), "5");
  EXPECT_EQ(target.query.find("continue"), std::nullopt);
}

TEST(Target, KeepsAnEncodedSlashInsideItsSegment) {
  EXPECT_EQ(parseTarget("/a/b%2Fc/")->segments, (Segments{"a", "b/c"}));
}

TEST(Target, ForgivesEmptySegments) { EXPECT_EQ(parseTarget("//a///b/")->segments, (Segments{"a", "b"})); }

TEST(Target, ReadsAPlusAsASpaceInTheQueryOnly) {
  const Target target = parseTarget("/a+b?q=x+y%2Bz").value();

  EXPECT_EQ(target.segments, (Segments{"a+b"}));
  EXPECT_EQ(target.query.find("q"), "x y+z");
}

TEST(Target, KeepsRepeatedParametersInOrder) {
  const Target target = parseTarget("/?command=ls&command=-l&follow&&x==").value();

  EXPECT_EQ(target.query.all("command"), (Segments{"ls", "-l"}));
  EXPECT_EQ(target.query.find("follow"), "");
  EXPECT_EQ(target.query.find("x"), "=");
  EXPECT_EQ(target.query.parameters().size(), 4u);
}

TEST(Target, RefusesWhatIsNotAPath) {
  for (const char* bad : {"", "*", "api", "http://host/", "?a=b"})
    EXPECT_EQ(parseTarget(bad).error().code, Code::Invalid) << bad;
}

TEST(Target, RefusesBrokenPercentSigns) {
  for (const char* bad : {"/%", "/%2", "/%zz", "/%+1", "/?a=%g0"})
    EXPECT_EQ(parseTarget(bad).error().code, Code::Invalid) << bad;
}

TEST(Encode, IsUndoneByDecode) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);

  EXPECT_EQ(decode(encode(every)).value(), every);
  EXPECT_EQ(encode("app in (a,b)/~"), "app%20in%20%28a%2Cb%29%2F~");
}

}  // namespace
}  // namespace godwit::http
