#include "metrics/board.hpp"

#include <prometheus/text_serializer.h>

#include "metrics/process.hpp"

namespace godwit::metrics {

std::vector<client::Reflector*> Board::reflectors() {
  auto all = machines_.reflectors();
  all.push_back(&moves_.reflector());
  return all;
}

std::string Board::text() const {
  Families families;
  moves_.addTo(families);
  machines_.addTo(families);
  addProcess(families, started_);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace godwit::metrics
