#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "client/cache.hpp"
#include "control/controller.hpp"
#include "sim/line.hpp"

namespace godwit::sim {

// Something that could run: a cache that has news, a controller that has keys.
class Process {
 public:
  Process(Exchange& exchange, Random& random, std::string name, const std::string& token)
      : line_(exchange, random, std::move(name), token), api(line_) {}
  virtual ~Process() = default;

  // Does one thing that can be done now, as the dice say; false when there is none.
  bool run(Random& random);
  Line& line() { return line_; }
  // When something will be due that is not yet.
  std::optional<Timestamp> nextDue() const;

 protected:
  void add(client::Reflector& cache);
  void add(control::Controller& controller) { controllers_.push_back(&controller); }

 private:
  struct Feed {
    client::Reflector* cache;
    std::shared_ptr<bool> news;
  };
  void pump(Feed& feed);
  bool synced() const;

  Line line_;

 protected:
  const client::Client api;

 private:
  std::vector<Feed> feeds_;
  std::vector<control::Controller*> controllers_;
};

}  // namespace godwit::sim
