#pragma once

#include "schema/codec.hpp"

namespace godwit::schema {

// Members that have their initial value are left out, unless they are required.
// A kind is written with its apiVersion and kind.
template <class T>
json::value write(const T& from) {
  return writeObject(shapeFor<T>(), &from, &initialOf<T>());
}

}  // namespace godwit::schema
