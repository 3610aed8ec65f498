#include "hypervisor/libvirt/secret.hpp"

#include "hypervisor/libvirt/xml.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

using Secret = std::unique_ptr<virSecret, Release<virSecretFree>>;

bool isCeph(Protocol protocol) { return protocol == Protocol::Rbd; }

std::string documentOf(Protocol protocol, const std::string& name) {
  pugi::xml_document document;
  pugi::xml_node secret = document.append_child("secret");
  set(secret, "ephemeral", "yes");
  set(secret, "private", "yes");
  pugi::xml_node usage = secret.append_child("usage");
  set(usage, "type", secretType(protocol));
  addText(usage, isCeph(protocol) ? "name" : "target", name);
  return textOf(document);
}

Secret find(const Connection& connection, Protocol protocol, const std::string& name) {
  const int usage = isCeph(protocol) ? VIR_SECRET_USAGE_TYPE_CEPH : VIR_SECRET_USAGE_TYPE_ISCSI;
  return Secret(virSecretLookupByUsage(connection.get(), usage, name.c_str()));
}

}  // namespace

const char* secretType(Protocol protocol) { return isCeph(protocol) ? "ceph" : "iscsi"; }

Result<> keepSecret(const Connection& connection, Protocol protocol, const std::string& name,
                    const std::string& password) {
  Secret secret = find(connection, protocol, name);
  if (!secret) secret.reset(virSecretDefineXML(connection.get(), documentOf(protocol, name).c_str(), 0));
  const Error error = secret ? Error{} : lastError(Code::Unavailable);
  // Somebody else may have been faster.
  if (!secret) secret = find(connection, protocol, name);
  if (!secret) return fail(within("secret " + name, error));
  const auto* bytes = reinterpret_cast<const unsigned char*>(password.data());
  if (virSecretSetValue(secret.get(), bytes, password.size(), 0) < 0)
    return fail(within("secret " + name, lastError(Code::Unavailable)));
  return {};
}

}  // namespace godwit::hypervisor::libvirt
