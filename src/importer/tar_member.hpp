#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "importer/bytes.hpp"

namespace godwit::importer {

// Finds one file in a tar archive that comes in pieces, and passes on what is in it.
class TarMember {
 public:
  // By its name, without a leading "/" or "./".
  using Wanted = std::function<bool(const std::string& name)>;

  TarMember(Wanted wanted, Sink into) : wanted_(std::move(wanted)), into_(std::move(into)) {}

  Result<> take(std::string_view bytes);
  // After the last bytes: Invalid when the archive ends within a file.
  Result<> finish() const;

  // Empty as long as it has not come.
  const std::string& found() const { return found_; }

 private:
  enum class Part { Header, Extension, Wanted, Other };

  Result<> readHeader();
  void readExtension();
  Result<> takeContent(std::string_view bytes);

  const Wanted wanted_;
  const Sink into_;
  Part part_ = Part::Header;
  std::string block_;       // of a header, while it is not whole
  std::string extension_;   // what is said of the next file besides its header
  char extends_ = '\0';     // in which of tar's ways
  std::string name_;        // of the next file, when its header cannot hold it
  std::int64_t size_ = -1;  // the same
  std::int64_t left_ = 0;   // bytes of the content that is being read
  std::int64_t padding_ = 0;
  std::string found_;
};

}  // namespace godwit::importer
