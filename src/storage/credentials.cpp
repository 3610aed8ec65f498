#include "storage/credentials.hpp"

#include <fmt/format.h>

#include "base/base64.hpp"

namespace godwit::storage {
namespace {

constexpr const char* kChapUser = "node.session.auth.username";
constexpr const char* kChapPassword = "node.session.auth.password";
constexpr const char* kCephKey = "key";

Result<std::string> valueIn(const kinds::Secret& secret, const kinds::PersistentVolume& volume,
                            const std::string& key) {
  const auto refusal = [&](const char* what) {
    return fail(Code::Invalid, fmt::format("volume {} logs in by Secret {}, {} {}", volume.metadata.name,
                                           object::show(secret.metadata.key()), what, key));
  };
  const auto found = secret.data.find(key);
  if (found == secret.data.end() || found->second.empty()) return refusal("which has no");
  auto value = decodeBase64(found->second);
  if (!value) return refusal("which has no base64 in");
  return value;
}

}  // namespace

Result<std::optional<object::Key>> secretOf(const kinds::PersistentVolume& volume) {
  const kinds::PersistentVolumeSpec& spec = volume.spec;
  const bool chap = spec.iscsi && spec.iscsi->chapAuthSession;
  if (!chap && !(spec.rbd && spec.rbd->secretRef)) return std::nullopt;
  const auto& named = chap ? spec.iscsi->secretRef : spec.rbd->secretRef;
  if (!named || named->name.empty())
    return fail(Code::Invalid,
                fmt::format("volume {} is to be logged in to, and secretRef names no Secret", volume.metadata.name));
  // As in Kubernetes, it is the claim's namespace if none is said.
  const std::string home = spec.claimRef ? spec.claimRef->nameSpace : "";
  return object::Key{named->nameSpace.empty() ? home : named->nameSpace, named->name};
}

Result<Credentials> credentialsIn(const kinds::Secret& secret, const kinds::PersistentVolume& volume) {
  Credentials credentials;
  credentials.login.secret = object::show(secret.metadata.key());
  if (volume.spec.rbd) {
    // Ceph's own keys are text, and base64 in turn; the hypervisor wants the bytes.
    const std::string key = TRY(valueIn(secret, volume, kCephKey));
    const auto bytes = decodeBase64(key);
    if (!bytes)
      return fail(Code::Invalid, fmt::format("volume {} logs in by Secret {}, whose {} is no key of Ceph's",
                                             volume.metadata.name, credentials.login.secret, kCephKey));
    credentials.login.user = volume.spec.rbd->user;
    credentials.password = *bytes;
    return credentials;
  }
  credentials.login.user = TRY(valueIn(secret, volume, kChapUser));
  credentials.password = TRY(valueIn(secret, volume, kChapPassword));
  return credentials;
}

}  // namespace godwit::storage
