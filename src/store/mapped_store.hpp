#pragma once

#include <cstddef>

#include "store/operation.hpp"
#include "store/store.hpp"
#include "store/versioned_map.hpp"

namespace godwit::store {

inline constexpr std::size_t kRememberedChanges = 4096;

// A store that shows a map kept in memory. How a write gets there is left to the heirs.
class MappedStore : public Store {
 public:
  Result<Entry> get(std::string_view key) final;
  Result<Listing> list(std::string_view prefix, std::size_t limit = 0, std::string_view after = {}) final;
  Revision revision() final { return map_.revision(); }

  Result<Revision> create(std::string_view key, std::string value) final;
  Result<Revision> replace(std::string_view key, std::string value, Revision expected) final;
  Result<Revision> remove(std::string_view key, Revision expected) final;

  Result<std::unique_ptr<Watch>> watch(std::string_view prefix, Revision since) final;

 protected:
  explicit MappedStore(std::size_t remembered, Listing start = {}) : map_(remembered, std::move(start)) {}

  // Returns once the map shows the change.
  virtual Result<Revision> write(Operation operation) = 0;

  VersionedMap map_;
};

}  // namespace godwit::store
