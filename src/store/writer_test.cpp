#include "store/writer.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace godwit::store {
namespace {

Operation createOf(std::string key) { return {.type = Operation::Type::Create, .key = std::move(key)}; }

// Answers each operation with the number of operations in its batch.
Writer::Answers countTogether(const std::vector<Operation>& operations) {
  return Writer::Answers(operations.size(), static_cast<Revision>(operations.size()));
}

TEST(Writer, AnswersEachCallerItsOwnResult) {
  Writer writer([](const auto& operations) {
    Writer::Answers answers;
    for (const Operation& operation : operations) {
      if (operation.key == "bad")
        answers.push_back(fail(Code::Conflict, operation.key));
      else
        answers.push_back(std::stoi(operation.key));
    }
    return answers;
  });
  EXPECT_EQ(writer.write(createOf("7")).value(), 7);
  EXPECT_EQ(writer.write(createOf("bad")).error().code, Code::Conflict);
  EXPECT_EQ(writer.write(createOf("8")).value(), 8);
}

TEST(Writer, CommitsWhateverWasAskedMeanwhileAsOneBatch) {
  std::latch committing(1);
  std::latch allAsked(1);
  bool first = true;
  Writer writer([&](const auto& operations) {
    if (std::exchange(first, false)) {
      committing.count_down();
      allAsked.wait();
    }
    return countTogether(operations);
  });
  std::jthread opener([&] { EXPECT_EQ(writer.write(createOf("first")).value(), 1); });
  committing.wait();

  std::vector<std::jthread> callers;
  callers.reserve(3);
  for (int i = 0; i < 3; ++i) callers.emplace_back([&] { EXPECT_EQ(writer.write(createOf("late")).value(), 3); });
  while (writer.waiting() < 3) std::this_thread::yield();
  allAsked.count_down();
}

}  // namespace
}  // namespace godwit::store
