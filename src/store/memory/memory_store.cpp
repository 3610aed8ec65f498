#include "store/memory/memory_store.hpp"

namespace godwit::store {

Result<Revision> MemoryStore::write(Operation operation) { return map_.write(operation); }

}  // namespace godwit::store
