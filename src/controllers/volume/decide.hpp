#pragma once

#include <string_view>

// What becomes of a volume that nobody claims any more.
namespace godwit::controllers::volume {

struct Observed {
  bool beingDeleted = false;
  bool claimed = false;      // its claimRef names one claim, by UID
  bool claimExists = false;  // as the server itself says
  bool claimNamesIt = false;
  bool inUse = false;  // though its claim is gone
  bool deleteWhenReleased = false;
  bool madeByUs = false;
};

enum class Duty { Rest, Delete, LetGo };

// The phase of a volume whose claim is gone.
inline constexpr std::string_view kReleased = "Released";

struct Step {
  std::string_view phase;  // empty: leave it as it is
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

}  // namespace godwit::controllers::volume
