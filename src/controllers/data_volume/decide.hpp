#pragma once

#include <optional>
#include <string_view>

#include "base/clock.hpp"
#include "kinds/data_volume.hpp"

// A DataVolume is a claim, and a pod that fills it.
namespace godwit::controllers::data_volume {

using kinds::DataVolumePhase;

struct Observed {
  enum class Source { Blank, Download, Copy, Upload };
  enum class PodPhase { Pending, Running, Succeeded, Failed };

  struct Pod {
    PodPhase phase = PodPhase::Pending;
    bool ready = true;       // an upload: somebody listens
    Duration endedFor = {};  // since it failed
  };

  Source source = Source::Download;
  bool succeeded = false;  // on record
  bool beingDeleted = false;
  bool usedByGuest = false;  // the claim is a disk of an instance that has not ended
  bool invalid = false;      // cannot be carried out as it is written
  bool claimExists = false;
  bool claimIsOurs = false;
  bool claimBound = false;
  bool claimLost = false;
  bool waitsForConsumer = false;  // for somebody who says where the volume is needed
  bool sourceReady = true;        // what is copied is there, and nobody changes it
  std::int64_t restarts = 0;      // on record
  std::optional<Pod> pod;         // of the present attempt
};

enum class Duty { Rest, CreateClaim, CreatePod, BeginAgain, RemovePods, TearDown };

struct Step {
  DataVolumePhase phase = DataVolumePhase::Unset;  // Unset leaves it as it is
  std::string_view reason;                         // empty: the pod's own
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

// How long a failed attempt is left to be seen before the next: twice as long as the one before. Whoever sends an image
// has to come back by himself, and finds it ready soon.
Duration waitAfter(std::int64_t restarts);
Duration waitAfter(const Observed& observed);

}  // namespace godwit::controllers::data_volume
