#include "apiserver/protobuf.hpp"

#include <gtest/gtest.h>

#include "apiserver/world_test.hpp"

namespace godwit::apiserver::testing {
namespace {

using namespace std::string_literals;

// One length-delimited field; every length here fits into one byte.
std::string field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

std::string envelope(const std::string& apiVersion, const std::string& kind, const std::string& object) {
  return "k8s\0"s + field(1, field(1, apiVersion) + field(2, kind)) + field(2, object) + field(3, "") + field(4, "");
}

std::string parsed(const std::string& body) {
  const auto document = parseProtobuf(body);
  return document ? json::serialize(*document) : document.error().message;
}

const std::string kMetadata = field(1, field(1, "c") + field(2, "") + field(8, ""));

TEST(Protobuf, ReadsObjectsAndLeavesOutWhatIsEmpty) {
  const std::string entry = field(2, field(1, "a") + field(2, "b"));
  EXPECT_EQ(parsed(envelope("v1", "ConfigMap", kMetadata + entry)),
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"b"}})");
}

TEST(Protobuf, WritesBytesAsBase64) {
  const std::string entries = field(2, field(1, "x") + field(2, "abcd")) + field(2, field(1, "y") + field(2, "abc"));
  EXPECT_EQ(parsed(envelope("v1", "Secret", entries)),
            R"({"apiVersion":"v1","kind":"Secret","data":{"x":"YWJjZA==","y":"YWJj"}})");
}

TEST(Protobuf, KeepsAZeroThatWasMeant) {
  EXPECT_EQ(parsed(envelope("v1", "DeleteOptions", "\x08\x00"s + field(5, "All"))),
            R"({"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,"dryRun":["All"]})");
}

TEST(Protobuf, RefusesWhatIsDamagedOrUnknown) {
  const std::string whole = envelope("v1", "ConfigMap", kMetadata);
  EXPECT_EQ(parsed("{}"), "the protobuf message is damaged");
  EXPECT_EQ(parsed(envelope("v1", "ConfigMap", kMetadata.substr(0, 4))), "the protobuf message is damaged");
  EXPECT_EQ(parsed(envelope("v1", "Gadget", "")), "Gadget is not known in its protobuf form, send JSON");
}

TEST(Protobuf, IsTakenForCreation) {
  World world;
  const auto created = world.send("POST", kConfigMaps, envelope("v1", "ConfigMap", kMetadata), kProtobufType,
                                  "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(created.headers.at("content-type"), "application/json");
  EXPECT_EQ(at(created, {"metadata", "name"}), "c");
}

}  // namespace
}  // namespace godwit::apiserver::testing
