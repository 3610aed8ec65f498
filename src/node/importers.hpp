#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "importer/inlet.hpp"
#include "importer/orders.hpp"
#include "importer/verdict.hpp"

namespace godwit::node {

// The importer processes of one node. They outlive the agent, as movers do.
class Importers {
 public:
  struct State {
    bool alive = false;
    std::optional<importer::Verdict> verdict;
    std::optional<importer::Progress> progress;
  };

  virtual ~Importers() = default;

  // `pod` is the UID of the importer's pod.
  virtual Result<State> state(const std::string& pod) = 0;
  virtual Result<> giveOrders(const importer::Orders& orders) = 0;
  virtual Result<> start(const std::string& pod) = 0;
  virtual Result<> cancel(const std::string& pod) = 0;
  // A way into the importer for an image of so many bytes (0: nobody knows). Unavailable when it does not listen.
  virtual Result<importer::Sender> reach(const std::string& pod, std::int64_t bytes) = 0;
  // Forgets an import that is over.
  virtual Result<> forget(const std::string& pod) = 0;
  // Calls `changed` with the pod whenever its importer ended or got further. From any thread.
  virtual void whenChanged(std::function<void(const std::string&)> changed) = 0;
};

}  // namespace godwit::node
