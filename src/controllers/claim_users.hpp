#pragma once

#include <optional>
#include <string>

#include "controllers/world.hpp"

namespace godwit::controllers {

// A pod or an instance that uses the claim, in words; empty when surely nobody does: caches are believed when they know
// of somebody, and else the server is asked. With `since`, only those count that were there by then.
Result<std::string> whoUses(const World& world, const object::Key& claim,
                            const std::optional<Timestamp>& since = std::nullopt);

}  // namespace godwit::controllers
