#pragma once

#include <memory>
#include <vector>

#include "kinds/kubevirt.hpp"

namespace godwit::controllers::migration {

using KubeVirts = std::vector<std::shared_ptr<const kinds::KubeVirt>>;

// What the cluster says of migrations: its KubeVirt object, which is the one of that name in the namespace of that
// name, or the oldest there is.
kinds::MigrationConfiguration configurationOf(const KubeVirts& all);

}  // namespace godwit::controllers::migration
