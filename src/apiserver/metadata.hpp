#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "object/document.hpp"
#include "schema/definition.hpp"

// The rules for metadata, which are the same for every kind.
namespace godwit::apiserver {

// The metadata member, made when it is not there. It must be an object where it is.
json::object& metadataOf(object::Document& document);

// Gives a new object what only the server may give: name (from generateName), uid, creation time, generation.
void initialise(object::Document& document, const object::Key& where, Timestamp now, Random& random);
// What is wrong with the metadata of an object that is about to be kept.
std::vector<FieldProblem> checkMetadata(const schema::Kind& kind, const object::Document& document);

// Puts what no update may change back to what it is.
void keepIdentity(const object::Document& current, object::Document& proposed);
// Counts the generation up when anything but metadata and status changed.
void bumpGeneration(const schema::Kind& kind, const object::Document& current, object::Document& proposed);
std::vector<FieldProblem> checkFinalizers(const object::Document& current, const object::Document& proposed);

bool isBeingDeleted(const object::Document& document);
bool hasFinalizers(const object::Document& document);
// The deletion was asked for, its grace is over and nobody holds the object back any more.
bool mayGo(const object::Document& document);
// Sets the deletion time; says whether anything changed, which it does only towards an earlier end.
bool markForDeletion(object::Document& document, Timestamp now, std::int64_t graceSeconds);

}  // namespace godwit::apiserver
