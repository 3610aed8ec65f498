#pragma once

#include <memory>
#include <string>
#include <utility>

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include "base/result.hpp"

// libvirt's references as values that let go of themselves, and its errors as ours.
namespace godwit::hypervisor::libvirt {

template <auto Free>
struct Release {
  template <class T>
  void operator()(T* reference) const noexcept {
    Free(reference);
  }
};

using Connection = std::shared_ptr<virConnect>;
// Holds its connection too.
using Domain = std::shared_ptr<virDomain>;

inline Code codeOf(const virError& error, Code otherwise) {
  switch (error.code) {
    case VIR_ERR_NO_DOMAIN:
      return Code::NotFound;
    case VIR_ERR_OPERATION_TIMEOUT:
      return Code::Timeout;
    case VIR_ERR_OPERATION_INVALID:
    case VIR_ERR_BLOCK_COPY_ACTIVE:
      return Code::Conflict;
    case VIR_ERR_OPERATION_ABORTED:
      return Code::Gone;
    default:
      return error.domain == VIR_FROM_RPC ? Code::Unavailable : otherwise;
  }
}

// libvirt keeps the reason in thread-local state, so it is read on the thread whose call failed.
inline Error lastError(Code otherwise = Code::Internal) {
  const virErrorPtr error = virGetLastError();
  if (!error) return {otherwise, "libvirt failed without a reason"};
  return {codeOf(*error, otherwise), error->message ? error->message : "libvirt gave no message"};
}

inline Domain holdDomain(Connection connection, virDomain* domain) {
  return Domain(domain, [connection = std::move(connection)](virDomain* ending) { virDomainFree(ending); });
}

// One that runs or stands still there, or is only on record.
inline Result<Domain> findRecord(const Connection& connection, const std::string& name) {
  if (virDomain* const found = virDomainLookupByName(connection.get(), name.c_str()))
    return holdDomain(connection, found);
  return fail(lastError(Code::Unavailable));
}

inline bool isOnlyOnRecord(const Domain& domain) { return virDomainGetID(domain.get()) == static_cast<unsigned>(-1); }

// One that runs or stands still there.
inline Result<Domain> findDomain(const Connection& connection, const std::string& name) {
  Domain found = TRY(findRecord(connection, name));
  if (isOnlyOnRecord(found)) return fail(Code::NotFound, name + " has ended");
  return found;
}

// A text that libvirt allocated; empty when the call that made it failed.
inline std::string takeText(char* text) {
  const std::unique_ptr<char, Release<free>> owned(text);
  return owned ? owned.get() : "";
}

}  // namespace godwit::hypervisor::libvirt
