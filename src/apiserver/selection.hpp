#pragma once

#include "apiserver/resource.hpp"
#include "http/uri.hpp"
#include "object/selector.hpp"

namespace godwit::apiserver {

// Which objects of a collection a list, watch or deletion is about.
class Selection {
 public:
  // From labelSelector and fieldSelector. Code::Invalid for fields that the kind does not offer.
  static Result<Selection> parse(const http::Query& query, const Resource& resource);

  bool everything() const { return labels_.empty() && fields_.empty(); }
  bool matches(const object::Document& document) const;

 private:
  object::LabelSelector labels_;
  object::FieldSelector fields_;
};

}  // namespace godwit::apiserver
