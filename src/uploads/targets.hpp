#pragma once

#include "apiserver/objects.hpp"
#include "kinds/data_volume.hpp"

namespace godwit::uploads {

// A claim, and the DataVolume that has it filled by an upload.
struct Target {
  kinds::PersistentVolumeClaim claim;
  kinds::DataVolume volume;
};

// Finds what uploads are about. The objects and the catalog must outlive it.
class Targets {
 public:
  Targets(apiserver::Objects& objects, const apiserver::Catalog& catalog);

  // NotFound without a claim; Conflict when no upload fills it, or one has.
  Result<Target> target(const object::Key& claim) const;
  // The pod that takes the image; Unavailable while there is none, or it does not listen.
  Result<object::Document> listener(const Target& target) const;
  Result<bool> isFilled(const object::Key& claim) const;
  Result<object::Document> pod(const object::Key& key) const { return objects_.get(pods_, key); }

 private:
  apiserver::Objects& objects_;
  const apiserver::Resource& claims_;
  const apiserver::Resource& volumes_;
  const apiserver::Resource& pods_;
};

}  // namespace godwit::uploads
