#pragma once

#include "schema/definition.hpp"

namespace godwit::kinds {

// A Secret takes its values also as text, under stringData: they are written over those of `data`, in base64, and
// are never read back. Values of `data` that are not base64 are refused.
schema::Definition takingText(schema::Definition secret);

}  // namespace godwit::kinds
