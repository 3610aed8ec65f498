#pragma once

#include <string>
#include <string_view>

// LUNs of a tgt daemon that Godwit makes: each volume is LUN 1 of a target of its own.
namespace godwit::kinds {

// Annotations of such a volume.
inline constexpr std::string_view kLunDirectory = "godwit.io/lun-directory";  // where its bytes are
inline constexpr std::string_view kLunControl = "godwit.io/lun-control";      // by which socket the daemon is told

inline constexpr std::string_view kLunTargetPrefix = "iqn.2026-11.io.godwit:";
inline constexpr int kLun = 1;

inline std::string lunTarget(std::string_view volume) { return std::string(kLunTargetPrefix).append(volume); }

}  // namespace godwit::kinds
