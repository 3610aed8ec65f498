#pragma once

#include "base/result.hpp"
#include "bin/layout.hpp"

namespace godwit::bin {

// Says in the API that the node is dead, as a person would with a taint; to be called only by who knows. Nothing to
// say of a node that was never registered.
Result<> putOutOfService(const Layout& layout, const std::string& node);

// Takes that back. To be called before the node lives again, and its return to be waited for: whoever took the node for
// dead and is about to let go of a pod on it finds that pod changed, and has to look again.
Result<> returnToService(const Layout& layout, const std::string& node);

}  // namespace godwit::bin
