#pragma once

#include "object/document.hpp"

namespace godwit::subresources {

// A new migration has the finalizer and the label of its instance from its creation on, as KubeVirt's do: else its
// controller would have to put them on before all else.
void completeMigration(object::Document& made);

}  // namespace godwit::subresources
