#pragma once

#include <cstddef>

#include "store/mapped_store.hpp"

namespace godwit::store {

// Forgets everything when it is destroyed. A write, the wakes it causes included, is done
// on the caller's thread, so on one thread everything happens in one order.
class MemoryStore final : public MappedStore {
 public:
  explicit MemoryStore(std::size_t remembered = kRememberedChanges) : MappedStore(remembered) {}

 protected:
  Result<Revision> write(Operation operation) override;
};

}  // namespace godwit::store
