#include "storage/remote_disk.hpp"

#include <gtest/gtest.h>

#include "storage/place.hpp"

namespace godwit::storage {
namespace {

using hypervisor::DiskSource;
using hypervisor::Protocol;

TEST(SizeOfADiskOnTheNetwork, IsWhatQemuSeesInIt) {
  EXPECT_EQ(readVirtualSize(R"({"virtual-size": 943718400, "format": "raw"})").value(), 943718400);
  EXPECT_EQ(readVirtualSize("{}").error().code, Code::Unavailable);
  EXPECT_EQ(readVirtualSize("qemu-img: no").error().code, Code::Unavailable);
}

TEST(SizeOfAnImage, IsNotToldOfOneThatNeedsAnother) {
  const std::string layer =
      R"({"virtual-size": 512, "format": "qcow2", "backing-filename": "/etc/shadow", "backing-filename-format": "raw"})";
  EXPECT_EQ(readVirtualSize(layer).error().message,
            "the image does not stand alone: it needs /etc/shadow; copy it with qemu-img convert");
  const std::string apart = R"({"virtual-size": 512, "format-specific": {"data": {"data-file": "bytes.raw"}}})";
  EXPECT_EQ(readVirtualSize(apart).error().code, Code::Invalid);
}

TEST(SizeOfADiskOnTheNetwork, IsNotKnownWhereNobodyAnswers) {
  const DiskSource nowhere{DiskSource::Type::Network,
                           "iqn.2013-07.com.example:a/1",
                           "raw",
                           {.protocol = Protocol::Iscsi, .hosts = {{"127.0.0.1", 1}}}};
  const auto size = measureRemote(nowhere, "");
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().code, Code::Unavailable);
  EXPECT_NE(size.error().message.find("its size cannot be told: qemu-img"), std::string::npos) << size.error().message;
}

TEST(QemuNameOfAPlace, LeadsToAnImageOnNfs) {
  const Place place{.path = "/exports/root/disk.img",
                    .remote = hypervisor::Remote{.protocol = Protocol::Nfs, .hosts = {{"server", 0}}}};
  EXPECT_EQ(place.qemuName(), R"(json:{"driver":"raw","file":{"driver":"nfs","server":{"type":"inet","host":"server"},)"
                              R"("path":"/exports/root/disk.img"}})");
}

TEST(QemuNameOfAPlace, LeadsThroughTheFormatOfAnImage) {
  const Place place{.path = "/exports/root/disk.img",
                    .format = "qcow2",
                    .remote = hypervisor::Remote{.protocol = Protocol::Nfs, .hosts = {{"server", 0}}}};
  const std::string image = R"({"driver":"qcow2","file":{"driver":"nfs","server":{"type":"inet","host":"server"},)"
                            R"("path":"/exports/root/disk.img"}})";
  EXPECT_EQ(place.qemuName(), "json:" + image);
  EXPECT_EQ(place.qemuName({512, 1024}), R"(json:{"driver":"raw","offset":512,"size":1024,"file":)" + image + "}");
}

TEST(QemuNameOfAPlace, LeadsToAnImageInCeph) {
  const Place place{.path = "vms/root",
                    .remote = hypervisor::Remote{.protocol = Protocol::Rbd,
                                                 .hosts = {{"a", 0}, {"b", 7000}},
                                                 .login = hypervisor::Login{"admin", "default/key"}}};
  EXPECT_EQ(
      place.qemuName(),
      R"(json:{"driver":"raw","file":{"driver":"rbd","pool":"vms","image":"root",)"
      R"("server":[{"host":"a","port":"6789"},{"host":"b","port":"7000"}],"user":"admin","key-secret":"login"}})");
}

TEST(QemuNameOfAPlace, NamesThePasswordAndDoesNotHaveIt) {
  const Place place{
      .path = "iqn.2013-07.com.example:a/1",
      .remote = hypervisor::Remote{.hosts = {{"portal", 0}}, .login = hypervisor::Login{"godwit", "default/key"}}};
  EXPECT_EQ(place.qemuName(),
            R"(json:{"driver":"raw","file":{"driver":"iscsi","transport":"tcp","portal":"portal:3260",)"
            R"("target":"iqn.2013-07.com.example:a","lun":"1","user":"godwit","password-secret":"login"}})");
}

}  // namespace
}  // namespace godwit::storage
