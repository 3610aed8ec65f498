#include "schema/metadata.hpp"

namespace godwit::schema {

template const Shape& shapeFor<Metadata>();

}  // namespace godwit::schema
