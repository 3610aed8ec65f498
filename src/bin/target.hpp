#pragma once

#include <optional>

#include "bin/layout.hpp"
#include "bin/supervisor.hpp"
#include "kinds/volume.hpp"

// The tgt daemon that serves the LUNs of class `iscsi`, on machines that have one, for root.
namespace godwit::bin {

bool hasTarget();

// Whenever it is started, it is told of every LUN there is.
Service targetService(const Layout& layout, const std::string& portal);

kinds::StorageClass targetClass(const Layout& layout, const std::string& portal);

// Ends one that nobody looks after any more.
Result<> endTarget(const Layout& layout);

}  // namespace godwit::bin
