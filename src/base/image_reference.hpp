#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace godwit {

// Where a container image is, in the words of those who run containers: "quay.io/containerdisks/fedora:40", also with
// docker:// before it. What is left out is docker.io's, or the tag latest.
struct ImageReference {
  std::string registry;    // host, or host:port
  std::string repository;  // with its folders
  std::string version;     // a tag, or a digest: sha256:...

  // Invalid when it cannot be one.
  static Result<ImageReference> parse(std::string_view text);

  bool isByDigest() const { return version.find(':') != std::string::npos; }

  bool operator==(const ImageReference&) const = default;
};

}  // namespace godwit
