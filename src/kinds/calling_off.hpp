#pragma once

#include <string_view>

// What the annotation kCancelMove says on a pod of a move, and what a target answers; of its own accord, too.
namespace godwit::kinds::words {

inline constexpr std::string_view kCancelled = "true";         // to the mover: somebody wants it back
inline constexpr std::string_view kTargetDead = "TargetDead";  // to the mover: there is no copy at the target any more
inline constexpr std::string_view kSourceDead = "SourceDead";  // to the target: nobody moves the guest any more
inline constexpr std::string_view kGuestArrived = "GuestArrived";  // the target's reason: the guest runs there
inline constexpr std::string_view kPreparationFailed = "PreparationFailed";  // ... that its volumes cannot be had
inline constexpr std::string_view kSourceInUse = "SourceInUse";  // an importer's: a guest has what it is to copy

}  // namespace godwit::kinds::words
