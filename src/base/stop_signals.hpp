#pragma once

#include <stop_token>
#include <thread>

namespace godwit {

// SIGTERM and SIGINT as a request to stop. To be made before the first other thread, which would not
// be spared them otherwise. They stay blocked afterwards: a second one does not disturb a clean end.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  std::stop_token token() const { return requested_.get_token(); }

 private:
  std::stop_source requested_;
  std::jthread thread_;
};

}  // namespace godwit
