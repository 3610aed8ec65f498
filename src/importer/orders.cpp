#include "importer/orders.hpp"

#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::importer {

Result<Orders> parseOrders(std::string_view text) {
  Orders orders = TRY(schema::parse<Orders>(json::value(TRY(object::parseDocument(text)))));
  if (orders.download.has_value() + orders.image.has_value() + orders.original.has_value() + orders.upload != 1)
    return fail(Code::Invalid, "the orders name no source, or two");
  return orders;
}

std::string writeOrders(const Orders& orders) { return json::serialize(schema::write(orders)); }

}  // namespace godwit::importer
