#include "mover/orders.hpp"

#include "object/document.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::mover {

using Type = hypervisor::DiskSource::Type;

MovedDisk MovedDisk::to(std::string target, const hypervisor::DiskSource& destination) {
  MovedDisk disk{std::move(target), destination.path, destination.type == Type::Block, destination.format};
  if (destination.type == Type::Network) disk.remote = destination.remote;
  return disk;
}

hypervisor::DiskSource MovedDisk::destination() const {
  if (remote) return {Type::Network, path, format, *remote};
  return {block ? Type::Block : Type::File, path, format};
}

Result<Orders> parseOrders(std::string_view text) {
  return schema::parse<Orders>(json::value(TRY(object::parseDocument(text))));
}

std::string writeOrders(const Orders& orders) { return json::serialize(schema::write(orders)); }

}  // namespace godwit::mover
