#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "client/client.hpp"
#include "kinds/volume_migration.hpp"

// Every disk off a storage class: under guests that run, and by a copy where there is none.
namespace godwit::cli {

struct ClassDrain {
  std::string from;
  std::string to;
  bool deleteSources = false;  // once each has moved
  bool unattached = false;     // claims that no VM names go, too
};

// A VM, and its claims of the class; or a claim that no VM names, whose VM has an empty name.
struct DisksOfClass {
  object::Key machine;
  std::vector<std::string> claims;
  bool offline = false;       // they are copied without a guest
  std::string obstacle = {};  // why they stay
};

// What is on the class. NotFound names the class that there is not; Invalid when both are the same.
Result<std::vector<DisksOfClass>> planClassDrain(const client::Client& client, const ClassDrain& drain);

// As a table, or as one JSON document.
std::string describeClassDrain(const ClassDrain& drain, const std::vector<DisksOfClass>& plan, bool asJson);

// One VolumeMigration for each of them; they wait for their turns, as all migrations do.
Result<std::vector<kinds::VolumeMigration>> beginClassDrain(const client::Client& client, const ClassDrain& drain,
                                                            const std::vector<DisksOfClass>& plan);

// Says in a line what has become of one each time that changes, and returns when all have ended: how many failed.
// Unavailable when the time is up or `stop` is requested: they go on.
Result<int> followClassDrain(const client::Client& client, const std::vector<kinds::VolumeMigration>& begun,
                             Duration patience, const std::function<void(const std::string&)>& say,
                             std::stop_token stop);

}  // namespace godwit::cli
