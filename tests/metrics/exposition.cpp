#include "metrics/exposition.hpp"

#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace godwit::metrics {
namespace {

const std::regex kHelp(R"(# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) .*)");
const std::regex kType(R"(# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram))");
const std::regex kSample(
    R"(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_]\w*="([^"\\]|\\.)*"(,[a-zA-Z_]\w*="([^"\\]|\\.)*")*\})? (-?[0-9.e+-]+|\+Inf))");

std::string familyOf(const std::string& name, const std::string& type) {
  return type == "histogram" ? std::regex_replace(name, std::regex("_(bucket|sum|count)$"), "") : name;
}

}  // namespace

Samples read(const std::string& text) {
  EXPECT_TRUE(text.ends_with('\n'));
  Samples samples;
  std::set<std::string> announced;
  std::string help, name, type, line;
  std::istringstream lines(text);
  while (std::getline(lines, line)) {
    std::smatch found;
    if (std::regex_match(line, found, kHelp)) {
      help = found[1];
      EXPECT_TRUE(announced.insert(help).second) << "twice: " << line;
    } else if (std::regex_match(line, found, kType)) {
      name = found[1], type = found[2];
      EXPECT_EQ(name, help) << line;
    } else if (std::regex_match(line, found, kSample)) {
      EXPECT_EQ(familyOf(found[1], type), name) << line;
      const bool fresh = samples.emplace(found[1].str() + found[2].str(), std::stod(found[6])).second;
      EXPECT_TRUE(fresh) << "twice: " << line;
    } else {
      ADD_FAILURE() << "not of the format: " << line;
    }
  }
  return samples;
}

}  // namespace godwit::metrics
