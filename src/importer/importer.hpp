#pragma once

#include <functional>
#include <string>

#include "importer/orders.hpp"
#include "importer/verdict.hpp"

namespace godwit::importer {

struct Surroundings {
  std::string directory;                          // for whatever is not the volume's; its files go with the errand
  std::function<Result<>(const Progress&)> note;  // an error of its own ends the errand
};

// Fills the target as ordered. A file is only there under its name once it is whole and durable. What was half done
// before is done again from the beginning; nothing but the target stays.
Verdict fill(const Orders& orders, const Surroundings& surroundings);

}  // namespace godwit::importer
