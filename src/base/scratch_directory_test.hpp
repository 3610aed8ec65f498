#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

#include <filesystem>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit {

// An empty directory of its own for a test; gone with everything in it when the test ends. Where the test is killed,
// tools/alone removes it: beside it is the mark that it looks for, locked while somebody needs the directory.
class ScratchDirectory {
 public:
  ScratchDirectory() : outer_((std::filesystem::temp_directory_path() / "godwit-XXXXXX").string()) {
    ENSURE(mkdtemp(outer_.data()), "there is a place for temporary files");
    const std::string unnamed = outer_ + "/.new";
    mark_ = Descriptor(::open(unnamed.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ENSURE(::flock(mark_.number(), LOCK_EX) == 0, "nobody else knows of the mark");
    std::filesystem::rename(unnamed, outer_ + "/.owner");
    path_ = outer_ + "/d";
    std::filesystem::create_directory(path_);
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(outer_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string outer_;
  std::string path_;
  Descriptor mark_;
};

}  // namespace godwit
