#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.hpp"
#include "object/document.hpp"

namespace godwit::apiserver {

// What becomes of a field that nobody knows.
enum class FieldValidation { Strict, Warn, Ignore };

// "" is Warn, as Kubernetes takes it.
Result<FieldValidation> parseFieldValidation(std::string_view word);

// That the document is of the resource's kind; fills in apiVersion and kind where they are missing.
Result<> ensureTyped(const Resource& resource, object::Document& document);

// Checks an object that is about to be kept, against what it was (null when it is new). Returns the
// warnings for the caller. Fields that were unknown before are not held against the caller again.
Result<std::vector<std::string>> validate(const Resource& resource, const object::Document* before,
                                          const object::Document& after, FieldValidation unknownFields);

}  // namespace godwit::apiserver
