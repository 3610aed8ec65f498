#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hypervisor/hypervisor.hpp"

// Names that stand in volumes and end in a hypervisor's documents.
namespace godwit::storage {

// Whether the text is letters, digits and those others, and not empty.
bool isMadeOf(std::string_view text, std::string_view others);

// "host", "host:port", "[address]" or "[address]:port".
std::optional<hypervisor::Host> parseHost(std::string_view text, std::int64_t usualPort);

}  // namespace godwit::storage
