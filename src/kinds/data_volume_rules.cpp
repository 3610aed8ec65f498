#include "kinds/data_volume_rules.hpp"

#include "base/image_reference.hpp"

namespace godwit::kinds {
namespace {

struct ChecksumForm {
  std::string_view prefix;
  std::size_t digits;
};
constexpr ChecksumForm kChecksumForms[] = {{"md5:", 32}, {"sha1:", 40}, {"sha256:", 64}, {"sha512:", 128}};

bool isChecksum(std::string_view text) {
  for (const auto& [prefix, digits] : kChecksumForms)
    if (text.starts_with(prefix))
      return text.size() == prefix.size() + digits &&
             text.find_first_not_of("0123456789abcdefABCDEF", prefix.size()) == std::string_view::npos;
  return false;
}

void checkHttp(const HttpSource& http, std::vector<FieldProblem>& problems) {
  if (!http.url.starts_with("http://") && !http.url.starts_with("https://"))
    problems.push_back({"spec.source.http.url", "Invalid value: must begin with http:// or https://"});
  if (!http.checksum.empty() && !isChecksum(http.checksum))
    problems.push_back({"spec.source.http.checksum",
                        "Invalid value: must be md5, sha1, sha256 or sha512, a colon, and the digest in hexadecimal"});
}

void checkRegistry(const RegistrySource& registry, std::vector<FieldProblem>& problems) {
  const auto image = ImageReference::parse(registry.url);
  if (!registry.url.starts_with("docker://") || !image)
    problems.push_back({"spec.source.registry.url", "Invalid value: must be docker://REGISTRY/REPOSITORY:TAG"});
}

void checkSource(const DataVolume& volume, std::vector<FieldProblem>& problems) {
  const DataVolumeSource& source = volume.spec.source;
  const int sources = source.blank.has_value() + source.pvc.has_value() + source.http.has_value() +
                      source.registry.has_value() + source.upload.has_value();
  if (sources != 1)
    problems.push_back({"spec.source", "Required value: exactly one of blank, http, pvc, registry and upload"});
  if (source.registry) checkRegistry(*source.registry, problems);
  if (source.http) checkHttp(*source.http, problems);
  if (source.pvc && !source.pvc->nameSpace.empty() && source.pvc->nameSpace != volume.metadata.nameSpace)
    problems.push_back({"spec.source.pvc.namespace", "Invalid value: must be the DataVolume's own"});
}

}  // namespace

std::vector<FieldProblem> problemsOf(const DataVolume& volume) {
  std::vector<FieldProblem> problems;
  checkSource(volume, problems);
  const PersistentVolumeClaimSpec* claim = volume.spec.claim();
  if (!claim || (volume.spec.pvc && volume.spec.storage)) {
    problems.push_back({"spec", "Required value: exactly one of pvc and storage"});
    return problems;
  }
  // A copy without a size gets its original's.
  const bool sized = storageBytes(claim->resources.requests) > 0 || (volume.spec.storage && volume.spec.source.pvc);
  if (!sized)
    problems.push_back(
        {volume.spec.pvc ? "spec.pvc.resources.requests.storage" : "spec.storage.resources.requests.storage",
         "Required value: the size of the volume"});
  return problems;
}

}  // namespace godwit::kinds
