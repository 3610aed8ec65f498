#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "importer/bytes.hpp"

namespace godwit::importer {

// Unpacks what gzip or xz has packed, and passes on the rest as it is. The first bytes say which.
class Unpacker {
 public:
  // One way of packing.
  class Method {
   public:
    virtual ~Method() = default;
    virtual Result<> take(std::string_view packed, const Sink& into) = 0;
    // Invalid when the end is missing.
    virtual Result<> finish(const Sink& into) = 0;
  };

  explicit Unpacker(Sink into) : into_(std::move(into)) {}

  Result<> take(std::string_view bytes);
  // After the last bytes.
  Result<> finish();

 private:
  Result<> begin();

  const Sink into_;
  std::string head_;  // while it is too short to tell
  std::unique_ptr<Method> method_;
};

}  // namespace godwit::importer
