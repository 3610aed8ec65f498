#include "kinds/claim_templates.hpp"

#include "schema/write.hpp"

namespace godwit::kinds {
namespace {

constexpr const char* kClaim = "pvc";
constexpr const char* kTarget = "targetVolume";
constexpr const char* kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

Failure unreadable(std::string_view why) {
  return fail(Code::Invalid, "failed to unmarshal volumeClaimTemplates annotation: " + std::string(why));
}

// The object under that name; it is made where there is none.
json::object& memberOf(json::object& parent, std::string_view name) {
  json::value& member = parent[name];
  if (!member.is_object()) member = json::object();
  return member.get_object();
}

}  // namespace

const json::object& ClaimTemplate::described() const {
  const json::value* claim = written_.if_contains(kClaim);
  return claim && claim->is_object() ? claim->get_object() : written_;
}

std::string ClaimTemplate::name() const { return object::textAt(described(), {"metadata", "name"}); }

std::string ClaimTemplate::storage() const {
  return object::textAt(described(), {"spec", "resources", "requests", "storage"});
}

std::string ClaimTemplate::targetVolume() const { return object::textAt(written_, {kTarget}); }

void ClaimTemplate::setTargetVolume(const std::string& claim) {
  if (claim.empty())
    written_.erase(kTarget);
  else
    written_[kTarget] = claim;
}

void ClaimTemplate::become(const PersistentVolumeClaim& claim) {
  written_.erase(kTarget);
  json::object& into = written_.contains(kClaim) ? memberOf(written_, kClaim) : written_;
  json::object& metadata = memberOf(into, "metadata");
  metadata["name"] = claim.metadata.name;
  metadata.erase("annotations");
  for (const auto& [key, value] : claim.metadata.annotations)
    if (key != kLastApplied) memberOf(metadata, "annotations")[key] = value;
  const json::value spec = schema::write(claim.spec);
  json::object& wanted = memberOf(into, "spec");
  wanted.clear();
  for (const char* member : {"accessModes", "resources", "storageClassName"})
    if (const json::value* value = spec.as_object().if_contains(member)) wanted[member] = *value;
  wanted["volumeMode"] = claim.spec.volumeMode;
}

Result<ClaimTemplates> readClaimTemplates(const std::string& annotation) {
  ClaimTemplates templates;
  if (annotation.empty()) return templates;
  boost::system::error_code error;
  const json::value read = json::parse(annotation, error);
  if (error) return unreadable(error.message());
  if (read.is_null()) return templates;
  if (!read.is_array()) return unreadable("it is no list");
  for (const json::value& entry : read.get_array()) {
    if (!entry.is_object()) return unreadable("an entry is no object");
    templates.emplace_back(entry.get_object());
  }
  return templates;
}

std::string writeClaimTemplates(const ClaimTemplates& templates) {
  json::array written;
  for (const ClaimTemplate& one : templates) written.push_back(one.written());
  return written.empty() ? "" : json::serialize(written);
}

}  // namespace godwit::kinds
