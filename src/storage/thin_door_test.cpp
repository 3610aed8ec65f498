#include "storage/thin_door.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit::storage {
namespace {

using hypervisor::DiskSource;
using hypervisor::Protocol;

TEST(ThinDoor, IsOfUseForRawImagesOnNfs) {
  DiskSource disk{
      DiskSource::Type::Network, "/exports/a/disk.img", "raw", {.protocol = Protocol::Nfs, .hosts = {{"nas", 0}}}};
  EXPECT_TRUE(disk.takesZerosLiterally());
  disk.format = "qcow2";
  EXPECT_FALSE(disk.takesZerosLiterally());
  disk.format = "raw";
  disk.remote.protocol = Protocol::Iscsi;
  EXPECT_FALSE(disk.takesZerosLiterally());
  EXPECT_FALSE(DiskSource{.path = "/disk.img"}.takesZerosLiterally());
}

TEST(ThinDoor, DoesNotOpenWhereNobodyAnswers) {
  const ScratchDirectory directory;
  const DiskSource nowhere{DiskSource::Type::Network,
                           "/exports/a/disk.img",
                           "raw",
                           {.protocol = Protocol::Nfs, .hosts = {{"127.0.0.1", 0}}}};
  const auto opened = ThinDoor::open(nowhere, directory.path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::Unavailable) << opened.error().message;
  for (const auto& left : std::filesystem::directory_iterator(directory.path()))
    EXPECT_EQ(left.path().filename(), "thin.lock");
}

}  // namespace
}  // namespace godwit::storage
