#include "base/cidr.hpp"

#include <gtest/gtest.h>

namespace godwit {
namespace {

TEST(Cidr, ContainsTheAddressesThatBeginAlike) {
  const Cidr network = Cidr::parse("10.77.4.0/22").value();
  EXPECT_TRUE(network.contains("10.77.7.255"));
  EXPECT_FALSE(network.contains("10.77.8.0"));
  EXPECT_FALSE(network.contains("::1"));
  EXPECT_FALSE(network.contains("node-1"));
  EXPECT_TRUE(Cidr::parse("0.0.0.0/0")->contains("1.2.3.4"));
  EXPECT_TRUE(Cidr::parse("fd00::/8")->contains("fd12::7"));
}

TEST(Cidr, CountsItsHosts) {
  const Cidr network = Cidr::parse("10.0.254.0/23").value();
  EXPECT_EQ(network.hosts(), 510U);
  EXPECT_EQ(network.host(1), "10.0.254.1");
  EXPECT_EQ(network.host(257), "10.0.255.1");
  EXPECT_EQ(Cidr::parse("10.0.0.1/32")->hosts(), 0U);
}

TEST(Cidr, IsNothingElse) {
  for (const char* text :
       {"", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/24", "10.0.0/24", "10.0.0.0/24x", "/8"})
    EXPECT_EQ(Cidr::parse(text).error().code, Code::Invalid) << text;
}

}  // namespace
}  // namespace godwit
