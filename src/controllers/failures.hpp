#pragma once

#include <string>

#include "base/clock.hpp"

namespace godwit::controllers {

// Attempts at one thing that have failed in a row.
struct Failures {
  int count = 0;
  Duration sinceLast = {};
  std::string message = {};       // the last one's
  std::string failureClass = {};  // the last one's
  std::string reason = {};        // the last one's, in one word
};

// How long to wait after so many failures in a row: 20 seconds, then twice as long each time, up to 320.
Duration patience(int failures);

// Whether it is too early for another attempt.
bool backsOff(const Failures& failures);

// What has failed, and when the next attempt is made.
std::string explain(const Failures& failures);

}  // namespace godwit::controllers
