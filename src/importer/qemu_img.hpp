#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "storage/place.hpp"

namespace godwit::importer {

struct Conversion {
  std::string source;          // as qemu-img takes it
  std::string format = "raw";  // of the source
  storage::Place target;       // is there, and large enough
  bool targetIsZero = false;
  std::string complaints;  // file for what qemu-img has to say
};

// Has qemu-img write the source's contents to the target, durably. Asks `goOn` now and then; its error ends
// qemu-img and is returned.
Result<> convert(const Conversion& conversion, const std::function<Result<>()>& goOn);

}  // namespace godwit::importer
