#pragma once

#include <string_view>

// A claim is bound to a volume: one that was made for it, one that fits, or one that is made now.
namespace godwit::controllers::claim {

struct Observed {
  bool beingDeleted = false;
  bool bound = false;        // the claim says so
  bool volumeNamed = false;  // the claim names its volume
  bool namedVolumeExists = false;
  bool volumeKeptForIt = false;  // a volume's claimRef names this claim
  bool fittingVolumeFree = false;
  bool classNamed = false;
  bool classExists = false;
  bool classIsOurs = false;   // its volumes are made by Godwit
  bool cannotBeMade = false;  // class and node do not say how
  bool waitsForConsumer = false;
  bool nodeChosen = false;  // the scheduler has said where the first consumer goes
};

enum class Duty { Rest, ConfirmBinding, NameVolume, KeepVolume, Provision };

struct Step {
  std::string_view phase;  // of the claim
  std::string_view reason;
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

}  // namespace godwit::controllers::claim
