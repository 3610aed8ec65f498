#include "kinds/expansion.hpp"

#include <algorithm>

#include "base/quantity.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"
#include "schema/read.hpp"

namespace godwit::kinds {
namespace {

// Those whose volumes Godwit's nodes make, and so can make larger.
constexpr std::string_view kOurProvisioners[] = {words::kDirectoryProvisioner, words::kBlockProvisioner,
                                                 words::kIscsiProvisioner};

std::string_view provisionerOf(const PersistentVolume& volume) {
  const auto made = volume.metadata.annotations.find(std::string(words::kProvisionedBy));
  return made == volume.metadata.annotations.end() ? std::string_view() : made->second;
}

// Empty where there is none, as for null.
json::object specOf(const object::Document& claim) {
  const json::value* spec = claim.if_contains("spec");
  return spec && spec->is_object() ? spec->get_object() : json::object();
}

void forgetStorage(json::object& spec) {
  json::value* resources = spec.if_contains("resources");
  json::value* requests =
      resources && resources->is_object() ? resources->get_object().if_contains("requests") : nullptr;
  if (requests && requests->is_object()) requests->get_object().erase("storage");
}

bool keepsItsSpec(const object::Document& before, const object::Document& after) {
  json::object was = specOf(before);
  json::object is = specOf(after);
  // Both are given once: the one by the binder, the other to claims that were made before there was a default.
  for (const std::string_view once : {"volumeName", "storageClassName"})
    if (!was.contains(once)) is.erase(once);
  if (object::textAt(before, {"status", "phase"}) == "Bound")
    for (json::object* spec : {&was, &is}) {
      forgetStorage(*spec);
      spec->erase("volumeAttributesClassName");
    }
  return was == is;
}

}  // namespace

std::int64_t sizeOf(const PersistentVolume& volume) {
  const auto recorded = volume.metadata.annotations.find(std::string(kSizeAnnotation));
  const std::int64_t room = roomOn(volume);
  return recorded == volume.metadata.annotations.end() ? room : parseQuantity(recorded->second).value_or(room);
}

bool isGrowing(const PersistentVolume& volume) { return sizeOf(volume) < roomOn(volume); }

PersistentVolume withSize(PersistentVolume volume, std::int64_t bytes) {
  volume.metadata.annotations[std::string(kSizeAnnotation)] = formatBytes(bytes);
  return volume;
}

bool isOurs(const PersistentVolume& volume) {
  return std::find(std::begin(kOurProvisioners), std::end(kOurProvisioners), provisionerOf(volume)) !=
         std::end(kOurProvisioners);
}

bool mayGrow(const PersistentVolume& volume, const StorageClass& storageClass) {
  return storageClass.allowVolumeExpansion && isOurs(volume) && provisionerOf(volume) == storageClass.provisioner;
}

std::vector<FieldProblem> checkClaimUpdate(const object::Document& before, const object::Document& after) {
  std::vector<FieldProblem> problems;
  if (!keepsItsSpec(before, after))
    problems.push_back({"spec",
                        "Forbidden: spec is immutable after creation except resources.requests and "
                        "volumeAttributesClassName for bound claims"});
  const auto was = schema::view<PersistentVolumeClaim>(before);
  const std::int64_t asked = storageBytes(schema::view<PersistentVolumeClaim>(after).spec.resources.requests);
  if (asked < storageBytes(was.spec.resources.requests) && asked <= storageBytes(was.status.capacity))
    problems.push_back({"spec.resources.requests.storage", "Forbidden: field can not be less than status.capacity"});
  return problems;
}

}  // namespace godwit::kinds
