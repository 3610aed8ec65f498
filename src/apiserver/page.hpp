#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.hpp"
#include "apiserver/selection.hpp"
#include "http/uri.hpp"
#include "store/store.hpp"

namespace godwit::apiserver {

// One answer to a list.
struct Page {
  std::vector<store::Entry> entries;
  // To watch from. Later pages keep the first one's: a watch from there repeats changes, but misses none.
  store::Revision revision = 0;
  std::string continueToken;  // empty on the last page
};

// Code::Timeout for a resourceVersion that is not reached yet, Code::Gone for one past that must be exact.
Result<Page> readPage(store::Store& store, const Resource& resource, std::string_view nameSpace,
                      const http::Query& query);

}  // namespace godwit::apiserver
