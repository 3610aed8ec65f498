#pragma once

#include <string>
#include <string_view>

#include "object/document.hpp"
#include "store/store.hpp"

// How an object lies in the store: compact JSON that begins with apiVersion, kind and metadata, in
// this order, and has no resourceVersion. That is the entry's revision, and is spliced in on the way
// out without parsing, which is what makes lists and watches cheap.
namespace godwit::apiserver {

std::string sealed(const object::Document& document);

// The object as its readers see it. Revision 0 stands for an object that was not kept, and leaves none behind.
Result<object::Document> opened(std::string_view stored, store::Revision revision);
void appendOpened(std::string& out, std::string_view stored, store::Revision revision);
// The same without apiVersion and kind: an item in a list of a built-in kind.
void appendOpenedItem(std::string& out, std::string_view stored, store::Revision revision);

}  // namespace godwit::apiserver
