#include "store/operation.hpp"

#include <fmt/format.h>

namespace godwit::store {
namespace {

Result<> admit(const Operation& operation, const std::optional<Entry>& current) {
  if (operation.type == Operation::Type::Create) {
    if (current) return fail(Code::AlreadyExists, fmt::format("{} already exists", operation.key));
    return {};
  }
  if (!current) return fail(Code::NotFound, fmt::format("{} does not exist", operation.key));
  if (current->revision != operation.expected)
    return fail(Code::Conflict, fmt::format("{} is at revision {}, not at {} any more", operation.key,
                                            current->revision, operation.expected));
  return {};
}

}  // namespace

Result<Change> decide(const Operation& operation, const std::optional<Entry>& current, Revision next) {
  TRY(admit(operation, current));
  switch (operation.type) {
    case Operation::Type::Create:
      return Change{Change::Type::Created, operation.key, operation.value, nullptr, next};
    case Operation::Type::Replace:
      return Change{Change::Type::Replaced, operation.key, operation.value, current->value, next};
    case Operation::Type::Remove:
      return Change{Change::Type::Removed, operation.key, current->value, current->value, next};
  }
  __builtin_unreachable();
}

std::optional<Entry> entryAfter(const Change& change) {
  if (change.type == Change::Type::Removed) return std::nullopt;
  return Entry{change.key, change.value, change.revision};
}

}  // namespace godwit::store
