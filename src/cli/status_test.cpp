#include "cli/status.hpp"

#include <gtest/gtest.h>

#include "kinds/migration.hpp"

namespace godwit::cli {
namespace {

// Has two migrations that wait, and nothing else.
class Server final : public http::Transport {
 public:
  Result<http::Response> send(const http::Request& request) override {
    json::array items;
    if (request.target.find("virtualmachineinstancemigrations") != std::string::npos)
      items = {waiting("second", 2, {"vms/first"}), waiting("first", 1, {})};
    http::Response response;
    response.body = json::serialize(json::object{{"items", items}});
    return response;
  }

 private:
  static json::value waiting(const std::string& name, std::int64_t position, std::vector<std::string> ahead) {
    kinds::VirtualMachineInstanceMigration migration;
    migration.metadata.nameSpace = "vms";
    migration.metadata.name = name;
    migration.spec.vmiName = name + "-vm";
    migration.status.phase = kinds::MigrationPhase::Pending;
    migration.status.godwit.queue = kinds::QueuePlace{position, std::move(ahead), "1 at a time in the cluster"};
    return schema::write(migration);
  }
};

class Status : public testing::Test {
 protected:
  Server server;
  const client::Client client{server};
};

TEST_F(Status, ShowsWhoWaitsBehindWhomInTheirOrder) {
  const std::string text = describeStatus(client, false).value();
  const std::string queue =
      "PLACE   WAITS        VM          BEHIND      LIMIT\n"
      "1       vms/first    first-vm                1 at a time in the cluster\n"
      "2       vms/second   second-vm   vms/first   1 at a time in the cluster\n";
  EXPECT_TRUE(text.ends_with(queue)) << text;
}

TEST_F(Status, TellsScriptsTheSame) {
  const auto status = json::parse(describeStatus(client, true).value());
  EXPECT_EQ(json::serialize(status.at("queue").at(1)),
            R"({"position":2,"ahead":["vms/first"],"limit":"1 at a time in the cluster",)"
            R"("migration":"vms/second","vm":"second-vm"})");
}

}  // namespace
}  // namespace godwit::cli
