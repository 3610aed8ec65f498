#pragma once

#include <string>
#include <vector>

#include "metrics/machines.hpp"
#include "metrics/moves.hpp"

namespace godwit::metrics {

// All that a scrape shows, as the objects say it. Somebody keeps the reflectors current; text() is for any thread.
class Board {
 public:
  Board(const client::Client& api, Timestamp started) : started_(started), machines_(api), moves_(api) {}

  std::vector<client::Reflector*> reflectors();
  // In Prometheus' text format.
  std::string text() const;

 private:
  const Timestamp started_;
  Machines machines_;
  Moves moves_;
};

inline constexpr const char* kTextFormat = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace godwit::metrics
