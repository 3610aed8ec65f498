#pragma once

#include <vector>

#include "controllers/migration/decide.hpp"

namespace godwit::controllers::migration {

// What people are told of a step, in KubeVirt's words.
struct Announcement {
  enum class About { Move, Guest };
  About about = About::Move;
  bool good = true;
  std::string_view reason;
  std::string message;

  bool operator==(const Announcement&) const = default;
};

// Of the step that leads from what is on record to `step`; of most there is nothing to tell.
std::vector<Announcement> announcementsOf(const Step& step, const Observed& observed);

}  // namespace godwit::controllers::migration
