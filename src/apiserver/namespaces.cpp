#include "apiserver/namespaces.hpp"

#include <fmt/format.h>

#include "apiserver/metadata.hpp"
#include "apiserver/status.hpp"

namespace godwit::apiserver {

std::optional<http::Response> Namespaces::refusalToCreate(const Resource& resource, std::string_view nameSpace) const {
  if (namespaces_ == nullptr || !resource.namespaced()) return std::nullopt;
  const auto found = objects_.get(*namespaces_, {"", std::string(nameSpace)});
  if (!found) return refuse(found.error(), subjectOf(namespaces_->kind(), nameSpace));
  if (!isBeingDeleted(*found)) return std::nullopt;
  return refuse(
      {Code::Forbidden, fmt::format("{} is forbidden: unable to create new content in namespace {} because it "
                                    "is being terminated",
                                    qualified(resource.kind().plural, resource.kind().group), nameSpace)},
      subjectOf(resource.kind(), ""));
}

Result<> Namespaces::ensure(std::string_view name) const {
  if (namespaces_ == nullptr) return {};
  const auto created = objects_.create(*namespaces_, "", {{"metadata", {{"name", name}}}}, {});
  if (!created && created.error().code != Code::AlreadyExists) return fail(created.error());
  return {};
}

}  // namespace godwit::apiserver
