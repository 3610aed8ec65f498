#include "node/moving/route.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::node::moving {
namespace {

namespace words = kinds::words;

kinds::Node host(const std::string& name, const std::string& address) {
  kinds::Node node;
  node.metadata.name = name;
  node.metadata.annotations = {{std::string(words::kHypervisorUri), "qemu:///" + name},
                               {std::string(words::kTransportUri), "qemu+tls://" + address + ":16514/system"}};
  node.status.addresses = {{"InternalIP", address}, {"InternalIP", "192.168.5.7"}, {"Hostname", name}};
  node.status.nodeInfo.bootID = "boot of " + name;
  return node;
}

kinds::Node neighbour(const std::string& name) {
  kinds::Node node = host(name, "127.0.0.1");
  node.metadata.annotations[std::string(words::kSocketDirectory)] = "/sockets";
  node.status.nodeInfo.bootID = "one";
  return node;
}

TEST(RouteBetweenNodes, IsASocketOnOneMachine) {
  EXPECT_EQ(routeBetween(neighbour("a"), neighbour("b"), {}, "/papers"),
            (Route{.targetUri = "qemu:///b", .socketDirectory = "/sockets"}));
}

TEST(RouteBetweenNodes, IsTheNetworkBetweenMachinesWhoseDirectoriesAreCalledAlike) {
  auto far = neighbour("b");
  far.status.nodeInfo.bootID = "another";
  EXPECT_TRUE(routeBetween(neighbour("a"), far, {}, "/papers")->encrypted);
}

TEST(RouteBetweenNodes, IsEncryptedUnlessPeopleSayOtherwise) {
  Route expected{
      .targetUri = "qemu+tls://10.0.0.2:16514/system?pkipath=/papers", .address = "10.0.0.2", .encrypted = true};
  EXPECT_EQ(routeBetween(host("a", "10.0.0.1"), host("b", "10.0.0.2"), {}, "/papers"), expected);
  kinds::MigrationConfiguration plain;
  plain.disableTLS = true;
  expected.encrypted = false;
  EXPECT_EQ(routeBetween(host("a", "10.0.0.1"), host("b", "10.0.0.2"), plain, "/papers"), expected);
}

TEST(RouteBetweenNodes, LeadsDataThroughTheNetworkForMigrations) {
  kinds::MigrationConfiguration wishes;
  wishes.network = "192.168.5.0/24";
  const auto route = routeBetween(host("a", "10.0.0.1"), host("b", "10.0.0.2"), wishes, "/papers").value();
  EXPECT_EQ(route.address, "192.168.5.7");
  EXPECT_TRUE(route.targetUri.starts_with("qemu+tls://10.0.0.2:"));
}

TEST(RouteBetweenNodes, IsNotThereWhenEitherHasNoAddressInThatNetwork) {
  kinds::MigrationConfiguration wishes;
  wishes.network = "10.0.0.2/32";
  const auto route = routeBetween(host("a", "10.0.0.1"), host("b", "10.0.0.2"), wishes, "/papers");
  EXPECT_EQ(route.error().code, Code::Forbidden);
  EXPECT_EQ(route.error().message, "node a has no address in the network for migrations, 10.0.0.2/32");
  wishes.network = "nonsense";
  EXPECT_EQ(routeBetween(host("a", "10.0.0.1"), host("b", "10.0.0.2"), wishes, "/papers").error().code,
            Code::Forbidden);
}

TEST(RouteBetweenNodes, IsNotThereWithoutCertificates) {
  auto b = host("b", "10.0.0.2");
  EXPECT_EQ(routeBetween(host("a", "10.0.0.1"), b, {}, "").error().code, Code::Forbidden);
  b.metadata.annotations.erase(std::string(words::kTransportUri));
  EXPECT_EQ(routeBetween(host("a", "10.0.0.1"), b, {}, "/papers").error().code, Code::Forbidden);
}

}  // namespace
}  // namespace godwit::node::moving
