#pragma once

#include "schema/metadata.hpp"
#include "schema/schema.hpp"

namespace godwit::controllers {

// The reference by which an object says that it goes when `owner` goes.
template <class T>
schema::OwnerReference ownerReference(const T& owner) {
  return {.apiVersion = schema::apiVersion(schema::kind<T>),
          .kind = std::string(schema::kind<T>.name),
          .name = owner.metadata.name,
          .uid = owner.metadata.uid,
          .controller = true,
          .blockOwnerDeletion = true};
}

}  // namespace godwit::controllers
