#pragma once

#include "mover/outlook.hpp"
#include "mover/patience.hpp"
#include "mover/progress.hpp"
#include "mover/standstill.hpp"

namespace godwit::mover {

// Reads from what a mover sees how far its copy is.
class Gauge {
 public:
  // A copy that is soon over is over before there is a moment of it.
  void expectMemory(std::int64_t bytes);
  void note(const Sample& sample, const Options& options);
  void enter(Stage stage);
  void noteVerification(const std::vector<DiskVerification>& disks) { progress_.verification = disks; }
  // The guest goes on at the target.
  void noteResumed(Timestamp at);

  Lapse judge(const Options& options, bool held) const { return patience_.judge(options, held); }
  std::string complain(Lapse lapse, const Options& options) const {
    return patience_.complain(lapse, options, progress_);
  }
  Standstill& standstill() { return standstill_; }
  const Progress& progress() const { return progress_; }

 private:
  Outlook outlook_;
  Patience patience_;
  Standstill standstill_;
  Progress progress_;
};

}  // namespace godwit::mover
