#pragma once

#include "schema/codec.hpp"

namespace godwit::schema {

// The shape as an OpenAPI v3 schema, structural as a CustomResourceDefinition wants it.
json::object openApi(const Shape& shape);

template <class T>
json::object openApi() {
  return openApi(shapeFor<T>());
}

}  // namespace godwit::schema
