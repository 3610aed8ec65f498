#include "bin/claim_admission.hpp"

#include <fmt/format.h>

#include "apiserver/status.hpp"
#include "kinds/expansion.hpp"

namespace godwit::bin {
namespace {

using kinds::storageBytes;

// What the rule reads, through the server that it is a rule of.
struct Shelves {
  apiserver::Objects& objects;
  const apiserver::Resource& volumes;
  const apiserver::Resource& classes;

  template <class T>
  Result<T> get(const apiserver::Resource& resource, const std::string& name) const {
    return schema::view<T>(json::value(TRY(objects.get(resource, {"", name}))));
  }
};

bool canGrow(const Shelves& shelves, const kinds::PersistentVolumeClaim& claim) {
  const auto storageClass = shelves.get<kinds::StorageClass>(shelves.classes, claim.spec.storageClassName);
  const auto volume = shelves.get<kinds::PersistentVolume>(shelves.volumes, claim.spec.volumeName);
  return storageClass && volume && kinds::mayGrow(*volume, *storageClass);
}

Result<> admitClaim(const Shelves& shelves, const object::Document& before, const object::Document& after) {
  if (before.empty()) return {};
  if (auto problems = kinds::checkClaimUpdate(before, after); !problems.empty())
    return fail(apiserver::invalid(std::move(problems)));
  const auto was = schema::view<kinds::PersistentVolumeClaim>(before);
  const auto is = schema::view<kinds::PersistentVolumeClaim>(after);
  if (storageBytes(is.spec.resources.requests) <= storageBytes(was.spec.resources.requests)) return {};
  if (canGrow(shelves, is)) return {};
  return fail(Code::Forbidden,
              fmt::format("persistentvolumeclaims \"{}\" is forbidden: only dynamically provisioned pvc "
                          "can be resized and the storageclass that provisions the pvc must support "
                          "resize",
                          is.metadata.name));
}

}  // namespace

void admitClaims(apiserver::ApiServer& api) {
  const Shelves shelves{api.objects(), api.catalog().at(schema::kind<kinds::PersistentVolume>),
                        api.catalog().at(schema::kind<kinds::StorageClass>)};
  api.objects().admitBy(api.catalog().at(schema::kind<kinds::PersistentVolumeClaim>),
                        [shelves](const object::Document& before, const object::Document& after) {
                          return admitClaim(shelves, before, after);
                        });
}

}  // namespace godwit::bin
