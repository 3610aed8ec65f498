#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace godwit::store {

// A write that is asked for, before it is known whether it may happen.
struct Operation {
  enum class Type { Create, Replace, Remove };
  Type type = Type::Create;
  std::string key;
  Value value = nullptr;  // null for Remove
  Revision expected = 0;  // ignored for Create
};

// The change that `operation` makes to what stands under its key now, or why it may not be made.
Result<Change> decide(const Operation& operation, const std::optional<Entry>& current, Revision next);

// What stands under the key once `change` is made.
std::optional<Entry> entryAfter(const Change& change);

}  // namespace godwit::store
