#include "mover/options.hpp"

#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::mover {

Result<Options> parseOptions(std::string_view text) {
  return schema::parse<Options>(json::value(TRY(object::parseDocument(text))));
}

std::string writeOptions(const Options& options) { return json::serialize(schema::write(options)); }

}  // namespace godwit::mover
