#pragma once

#include "base/result.hpp"
#include "bin/layout.hpp"

namespace godwit::bin {

// Ends every node of this Godwit, guests included.
void endNodes(const Layout& layout);

// Ends all there is of it, whoever started it; safe to repeat.
Result<> endAll(const Layout& layout);

}  // namespace godwit::bin
