#pragma once

#include <functional>
#include <memory>

#include "controllers/world.hpp"

namespace godwit::controllers {

// A node that the terms match and that is `wanted`, or null; without terms, any that is wanted. Terms that name nodes,
// or hosts, are looked up, for most do: who asks for each guest cannot look at each node.
std::shared_ptr<const kinds::Node> findNode(const World& world, const std::optional<kinds::NodeSelector>& terms,
                                            const std::function<bool(const kinds::Node&)>& wanted);

}  // namespace godwit::controllers
