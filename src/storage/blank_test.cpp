#include "storage/blank.hpp"

#include <unistd.h>

#include <fstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit::storage {
namespace {

class Blankness : public testing::Test {
 protected:
  Blankness() {
    std::ofstream(image) << "";
    ::truncate(image.c_str(), 8 << 20) == 0 || (ADD_FAILURE(), true);
  }

  void write(std::streamoff at, const std::string& bytes) {
    std::fstream file(image, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at) << bytes;
  }

  ScratchDirectory scratch;
  const std::string image = scratch.file("disk.img");
};

TEST_F(Blankness, IsTrueOfWhatIsNotThereAndOfASparseFile) {
  EXPECT_TRUE(isBlank(scratch.file("nothing")).value());
  EXPECT_TRUE(isBlank(image).value());
}

TEST_F(Blankness, IsTrueOfZerosThatSomebodyWrote) {
  write(1 << 20, std::string(1 << 20, '\0'));
  EXPECT_TRUE(isBlank(image).value());
}

TEST_F(Blankness, EndsWithASingleByteWhereverItIs) {
  write((8 << 20) - 1, "x");
  EXPECT_FALSE(isBlank(image).value());
}

TEST_F(Blankness, GoesWithTheUsualSectorsWhereThereIsNoDevice) { EXPECT_EQ(sectorBytes(image).value(), 512); }

}  // namespace
}  // namespace godwit::storage
