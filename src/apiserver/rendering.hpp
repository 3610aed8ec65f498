#pragma once

#include <string>

#include "apiserver/media.hpp"
#include "apiserver/page.hpp"
#include "apiserver/resource.hpp"
#include "apiserver/table.hpp"
#include "base/clock.hpp"

namespace godwit::apiserver {

// How one caller wants to see the objects of one resource: as JSON text, whatever its shape.
class Rendering {
 public:
  Rendering(const Resource& resource, const Representation& accepted, const http::Query& query, const Clock& clock);

  Result<std::string> object(std::string_view stored, store::Revision revision) const;
  Result<std::string> page(const Page& page) const;
  // The object of a watch event; only the first Table of a watch names its columns.
  Result<std::string> eventObject(std::string_view stored, store::Revision revision, bool first) const;

  // Every caller gets the same text, so it can be made once for all.
  bool isPlain() const { return shape_ == Shape::Object; }
  const Resource& resource() const { return *resource_; }

 private:
  std::string plainPage(const Page& page) const;
  json::object table(json::array rows, json::object metadata, bool withColumns) const;

  const Resource* resource_;
  Shape shape_;
  RowObject rowObject_;
  const Clock* clock_;
};

}  // namespace godwit::apiserver
