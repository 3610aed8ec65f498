#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/core.hpp"
#include "kinds/volume.hpp"
#include "object/document.hpp"

// Who logs in to a volume. A password goes from the Secret to the hypervisor and nowhere else.
namespace godwit::storage {

struct Credentials {
  hypervisor::Login login;
  std::string password;
};

// The Secret that the login is in; nothing when the volume needs none. Invalid when it needs one and names none.
Result<std::optional<object::Key>> secretOf(const kinds::PersistentVolume& volume);

// Invalid names the volume, the Secret, and the key that is missing or unreadable.
Result<Credentials> credentialsIn(const kinds::Secret& secret, const kinds::PersistentVolume& volume);

}  // namespace godwit::storage
