#pragma once

#include "node/site.hpp"

namespace godwit::node::importing {

// What the importer of this pod has to do, gathered from the API once and for all. Conflict when the disk that is to
// be copied is a guest's.
Result<importer::Orders> composeOrders(const Site& site, const kinds::Pod& pod);

}  // namespace godwit::node::importing
