#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/image_reference.hpp"
#include "importer/download.hpp"
#include "object/document.hpp"

namespace godwit::importer {

// One container image in its registry, by the protocol that all registries speak (OCI distribution). Of an image for
// several machines it is the one for this kind.
class RegistryImage {
 public:
  struct Layer {
    std::string digest;
    std::int64_t bytes = 0;

    bool operator==(const Layer&) const = default;
  };

  // Who asks, and whom he trusts, are the download's; its URL is the image's name.
  static Result<RegistryImage> named(const Download& wanted);

  // From the lowest to the topmost.
  Result<std::vector<Layer>> layers();
  // Conflict when the bytes are not those of its digest.
  Result<> fetch(const Layer& layer, const Sink& into, const Note& note);

 private:
  RegistryImage(ImageReference reference, const Download& access) : reference_(std::move(reference)), access_(access) {}

  Result<object::Document> manifest(const std::string& version);
  Result<> get(const std::string& path, const std::string& accepted, const Sink& into, const Note& note);
  // Says who asks, as the registry wants to hear it.
  Result<> answer(const std::string& challenge);
  std::string urlOf(const std::string& path) const;

  const ImageReference reference_;
  const Download access_;
  std::string authorization_;  // the header; empty: nobody has asked
};

}  // namespace godwit::importer
