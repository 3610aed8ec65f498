#pragma once

#include "object/document.hpp"

namespace godwit::object {

// RFC 7386.
void applyMergePatch(json::value& target, const json::value& patch);
// The merge patch that turns `before` into `after`; an empty object when they are equal.
// Arrays are replaced as a whole.
json::object mergePatchBetween(const json::object& before, const json::object& after);

// RFC 6902. Code::Invalid for a malformed patch, Code::Conflict when a `test` fails or a path is not there;
// `target` is unchanged then.
Result<> applyJsonPatch(json::value& target, const json::value& patch);

}  // namespace godwit::object
