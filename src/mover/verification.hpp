#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "mover/observed.hpp"
#include "mover/options.hpp"
#include "mover/orders.hpp"
#include "mover/progress.hpp"
#include "storage/comparison.hpp"

namespace godwit::mover {

// As storage::firstDifference() does.
using FirstDifference = std::function<Result<std::optional<std::int64_t>>(
    const hypervisor::DiskSource&, const hypervisor::DiskSource&, const storage::Stretch&)>;

// Compares mirrored disks with their copies, stretch by stretch, while their guest writes on. A write reaches the copy
// a moment later, so a sector that differs is looked at again and again. One that never was the same is doubtful: the
// guest may be writing it all the time. Then it has to stand still for a look that counts.
class Verification {
 public:
  Verification(const Orders& orders, FirstDifference firstDifference, const Clock& clock);

  // One stretch further with a guest all of whose disks are mirrored; `sizeOf` tells the bytes of one.
  Result<> goOn(const hypervisor::DomainState& guest, const Options& options,
                const std::function<Result<std::int64_t>(const std::string& disk)>& sizeOf);

  Agreement agreement() const;
  const std::vector<DiskVerification>& disks() const { return disks_; }
  // Which disk differs and where, or why they cannot be compared; empty otherwise.
  const std::string& complaint() const { return complaint_; }
  // When there may be something new to be found out by the next look.
  Duration lookAgainAfter(const Options& options) const;

 private:
  storage::Stretch nextStretch(const DiskVerification& disk, const Options& options) const;
  void note(DiskVerification& disk, const storage::Stretch& looked, std::optional<std::int64_t> difference);
  void noteDifference(DiskVerification& disk, std::int64_t at);
  void noteFailure(DiskVerification& disk, const Error& error);
  void end(DiskVerification& disk, const char* result, std::string complaint = {});
  void keepPace(Duration took);
  bool stuckFor(Duration time);

  const bool asked_;
  const FirstDifference firstDifference_;
  const Clock& clock_;
  std::vector<DiskVerification> disks_;
  std::int64_t reach_;                        // bytes that are compared at a time
  bool doubtful_ = false;                     // the next sectors were not the same when they were last looked at
  std::optional<Timestamp> stuckSince_ = {};  // at which it has not come further
  bool still_ = false;                        // what was last looked at cannot have changed meanwhile
  bool undecided_ = false;                    // only such a look can tell more
  std::string complaint_;
};

}  // namespace godwit::mover
