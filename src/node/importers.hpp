#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "importer/orders.hpp"
#include "importer/verdict.hpp"

namespace godwit::node {

// The importer processes of one node. They outlive the agent, as movers do.
class Importers {
 public:
  struct State {
    bool alive = false;
    std::optional<importer::Verdict> verdict;
  };

  virtual ~Importers() = default;

  // `pod` is the UID of the importer's pod.
  virtual Result<State> state(const std::string& pod) = 0;
  virtual Result<> giveOrders(const importer::Orders& orders) = 0;
  virtual Result<> start(const std::string& pod) = 0;
  virtual Result<> cancel(const std::string& pod) = 0;
  virtual std::optional<importer::Progress> progress(const std::string& pod) = 0;
  // Forgets an import that is over.
  virtual Result<> forget(const std::string& pod) = 0;
  // Calls `changed` with the pod whenever its importer ended or got further. From any thread.
  virtual void whenChanged(std::function<void(const std::string&)> changed) = 0;
};

}  // namespace godwit::node
