#include "schema/report.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/scratch_directory_test.hpp"
#include "mover/progress.hpp"

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

class ReportOnDisk : public testing::Test {
 protected:
  std::size_t lines() const {
    const std::string text = readFile(path).value();
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  const ScratchDirectory directory;
  const std::string path = directory.file("report");
  ManualClock clock;
  schema::Report<Progress> report = schema::Report<Progress>::open(path, clock).value();
  Progress progress{.stage = Stage::Copying, .disksDone = 1, .disksTotal = 100};
};

TEST_F(ReportOnDisk, SaysNothingBeforeSomethingIsNoted) {
  EXPECT_EQ(schema::readLastReport<Progress>(path), std::nullopt);
}

TEST_F(ReportOnDisk, IsReadAsItWasNoted) {
  report.note(progress);
  EXPECT_EQ(schema::readLastReport<Progress>(path), progress);
}

TEST_F(ReportOnDisk, HasAtMostOneLinePerSecond) {
  report.note(progress);
  progress.disksDone = 2;
  report.note(progress);
  EXPECT_EQ(lines(), 1U);
  clock.advance(1s);
  report.note(progress);
  EXPECT_EQ(lines(), 2U);
}

TEST_F(ReportOnDisk, HasANewStageAtOnce) {
  report.note(progress);
  progress.stage = Stage::SwitchingOver;
  report.note(progress);
  EXPECT_EQ(schema::readLastReport<Progress>(path), progress);
}

TEST_F(ReportOnDisk, HasNoLineWithoutNews) {
  report.note(progress);
  clock.advance(1h);
  report.note(progress);
  EXPECT_EQ(lines(), 1U);
}

TEST_F(ReportOnDisk, IsReadWithoutALineThatIsHalfWritten) {
  report.note(progress);
  std::ofstream(path, std::ios::app) << R"({"stage":"Moved")";
  EXPECT_EQ(schema::readLastReport<Progress>(path), progress);
}

TEST_F(ReportOnDisk, IsReadFromItsEndWhenItIsLong) {
  for (int i = 0; i < 1000; ++i) {
    progress.disksDone = i;
    clock.advance(1s);
    report.note(progress);
  }
  EXPECT_EQ(schema::readLastReport<Progress>(path), progress);
}

}  // namespace
}  // namespace godwit::mover
