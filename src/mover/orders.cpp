#include "mover/orders.hpp"

#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::mover {

hypervisor::DiskSource MovedDisk::destination() const {
  return {block ? hypervisor::DiskSource::Type::Block : hypervisor::DiskSource::Type::File, path, format};
}

Result<Orders> parseOrders(std::string_view text) {
  return schema::parse<Orders>(json::value(TRY(object::parseDocument(text))));
}

std::string writeOrders(const Orders& orders) { return json::serialize(schema::write(orders)); }

}  // namespace godwit::mover
