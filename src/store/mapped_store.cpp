#include "store/mapped_store.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

namespace godwit::store {
namespace {

Value share(std::string value) { return std::make_shared<const std::string>(std::move(value)); }

}  // namespace

Result<Entry> MappedStore::get(std::string_view key) {
  auto found = map_.find(key);
  if (!found) return fail(Code::NotFound, fmt::format("{} does not exist", key));
  return *std::move(found);
}

Result<Listing> MappedStore::list(std::string_view prefix, std::size_t limit, std::string_view after) {
  return map_.list(prefix, limit, after);
}

Result<Revision> MappedStore::create(std::string_view key, std::string value) {
  return write({.type = Operation::Type::Create, .key = std::string(key), .value = share(std::move(value))});
}

Result<Revision> MappedStore::replace(std::string_view key, std::string value, Revision expected) {
  return write({Operation::Type::Replace, std::string(key), share(std::move(value)), expected});
}

Result<Revision> MappedStore::remove(std::string_view key, Revision expected) {
  return write({.type = Operation::Type::Remove, .key = std::string(key), .expected = expected});
}

Result<std::unique_ptr<Watch>> MappedStore::watch(std::string_view prefix, Revision since) {
  return map_.watch(prefix, since);
}

}  // namespace godwit::store
