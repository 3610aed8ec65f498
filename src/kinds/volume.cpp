#include "kinds/volume.hpp"

#include "base/quantity.hpp"

namespace godwit::kinds {

std::int64_t storageBytes(const std::map<std::string, std::string>& quantities) {
  const auto found = quantities.find("storage");
  return found == quantities.end() ? 0 : parseQuantity(found->second).value_or(0);
}

}  // namespace godwit::kinds
