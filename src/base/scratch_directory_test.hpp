#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace godwit {

// An empty directory of its own for a test; gone with everything in it when the test ends.
class ScratchDirectory {
 public:
  ScratchDirectory() : path_((std::filesystem::temp_directory_path() / "godwit-test-XXXXXX").string()) {
    ENSURE(mkdtemp(path_.data()), "there is a place for temporary files");
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace godwit
