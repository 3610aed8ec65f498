#pragma once

#include "controllers/world.hpp"

// What is known of a node that does not answer, and what becomes of the pods on it.
namespace godwit::controllers {

inline constexpr std::string_view kNodeUnreachable = "NodeUnreachable";  // of a pod's Ready: nobody hears its node
inline constexpr std::string_view kNodeLost = "NodeLost";  // of a failed pod: its node is known to be dead

// Whether somebody who knows has said that the node is dead, with a taint. A node that says it is ready
// is not: whoever tainted it was wrong.
bool isOutOfService(const kinds::Node& node);

// As far as the cache knows; to be followed by declareLost or isSurelyDead where it matters.
bool isOnDeadNode(const World& world, const kinds::Pod& pod);

// As the server itself says now. What is written to `pod` after this, on condition that it is still as it was before
// this, holds: whoever starts the node again first removes the taint and then touches every pod on it.
Result<bool> isSurelyDead(const World& world, const std::string& node);

// Fails a pod whose node is surely dead, for good; a node that comes back leaves it alone.
Result<> declareLost(const World& world, const kinds::Pod& pod);

// The sentence that goes with it.
std::string nodeIsDead(const std::string& node);

// Whether a pod has failed in that way.
bool isLost(const kinds::Pod& pod);

}  // namespace godwit::controllers
