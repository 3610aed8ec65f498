#include "kinds/disk.hpp"

namespace godwit::kinds {

std::string DiskSpec::claim() const { return source ? source->name : ""; }

std::string DiskSpec::volumeName() const {
  if (!name.empty() || claim().empty()) return name;
  return target && !target->device.empty() ? target->device : claim();
}

}  // namespace godwit::kinds
