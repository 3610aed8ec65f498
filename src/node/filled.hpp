#pragma once

#include "node/site.hpp"

namespace godwit::node {

// Why a guest may not have the claim yet, in a sentence; empty when it may. A claim that a DataVolume has made is
// nobody's until it is filled, one that is being copied must not change, and one that is to go gets no new users. Nor
// has the guest, if it is known whose it is, anything to look for where its VM's disk has been taken away.
Result<std::string> whyNotYet(const client::Client& client, const object::Key& claim,
                              const kinds::VirtualMachineInstance* guest = nullptr);

}  // namespace godwit::node
