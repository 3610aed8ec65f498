#pragma once

#include "schema/codec.hpp"

namespace godwit::schema {

// Fields that may not change and did, in the words of Kubernetes.
std::vector<FieldProblem> checkUpdate(const Shape& shape, const json::object& before, const json::object& after);

// Gives absent members what their type declares as default. Absent objects stay absent.
void applyDefaults(const Shape& shape, json::object& object);

// The shape must be that of a kind.
Definition define(const Shape& shape);

template <class T>
Definition define() {
  static_assert(!kind<T>.name.empty(), "a definition needs kind<T>");
  return define(shapeFor<T>());
}

}  // namespace godwit::schema
