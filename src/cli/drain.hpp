#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "client/client.hpp"
#include "kinds/eviction.hpp"

// Everything off a node, without stopping it.
namespace godwit::cli {

struct Leaving {
  object::Key guest;
  std::string pod;
  kinds::Departure departure;
};

// Who is on the node, and what will become of each. NotFound names the nodes that there are.
Result<std::vector<Leaving>> planDrain(const client::Client& client, const std::string& node);

// As a table, or as one JSON document.
std::string describeDrain(const std::string& node, const std::vector<Leaving>& plan, bool asJson);

// Lets the node take new guests or not. Lifting the cordon calls off what a drain has begun.
Result<> setCordon(const client::Client& client, const std::string& node, bool cordoned);

// Asks for everybody who can leave to leave.
Result<> evict(const client::Client& client, const std::vector<Leaving>& plan);

// Says in a line what has become of a guest each time that changes, and returns when all who can leave have left.
// Unavailable when the time is up or `stop` is requested: those who are still there go on leaving.
Result<> followDrain(const client::Client& client, const std::string& node, const std::vector<Leaving>& plan,
                     Duration patience, const std::function<void(const std::string&)>& say, std::stop_token stop);

}  // namespace godwit::cli
