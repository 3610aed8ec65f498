#include "mover/orders.hpp"

#include <gtest/gtest.h>

namespace godwit::mover {
namespace {

using hypervisor::DiskSource;

Orders ordersTo(const DiskSource& destination) {
  Orders orders;
  orders.move = "m-1";
  orders.domain = "default_db";
  orders.disks = {MovedDisk::to("vda", destination)};
  return orders;
}

TEST(Orders, AreReadAsTheyWereWritten) {
  const DiskSource places[] = {
      {.path = "/volumes/a/disk.img"},
      {.type = DiskSource::Type::Block, .path = "/volumes/b/device"},
      {.type = DiskSource::Type::Network,
       .path = "iqn.2026-01.dev.godwit:disks/1",
       .remote = {.hosts = {{"10.0.0.1", 3260}}, .initiator = "iqn.x", .login = hypervisor::Login{"me", "ns/chap"}}},
      {.type = DiskSource::Type::Network,
       .path = "/exports/root/disk.img",
       .format = "qcow2",
       .remote = {.protocol = hypervisor::Protocol::Nfs, .hosts = {{"nas", 0}}}},
      {.type = DiskSource::Type::Network,
       .path = "vms/root",
       .remote = {.protocol = hypervisor::Protocol::Rbd, .hosts = {{"mon-1", 0}, {"mon-2", 6789}}}},
  };
  for (const DiskSource& place : places) {
    const auto orders = parseOrders(writeOrders(ordersTo(place)));
    ASSERT_TRUE(orders) << orders.error().message;
    EXPECT_EQ(orders->disks.at(0).destination(), place);
  }
}

}  // namespace
}  // namespace godwit::mover
