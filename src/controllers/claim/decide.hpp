#pragma once

#include <string_view>

// A claim is bound to a volume: one that was made for it, one that fits, or one that is made now.
namespace godwit::controllers::claim {

struct Observed {
  bool beingDeleted = false;
  bool inUse = false;        // looked at when it is being deleted
  bool bound = false;        // the claim says so
  bool volumeNamed = false;  // the claim names its volume
  bool namedVolumeExists = false;
  bool namedVolumeFree = false;   // it is not kept for the claim yet, and can be
  bool namedVolumeTaken = false;  // it is kept for another claim, or is to go
  bool volumeKeptForIt = false;   // a volume's claimRef names this claim
  bool fittingVolumeFree = false;
  bool classNamed = false;
  bool classExists = false;
  bool classIsOurs = false;   // its volumes are made by Godwit
  bool cannotBeMade = false;  // class and node do not say how
  bool waitsForConsumer = false;
  bool nodeChosen = false;  // the scheduler has said where the first consumer goes

  bool asksForMore = false;  // than the volume's capacity
  bool mayGrow = false;      // the volume is Godwit's, and its class allows it
  bool growing = false;      // the volume has yet to become as large as its capacity says
  bool userMoves = false;    // a guest on the claim is being moved
};

enum class Duty { Rest, ConfirmBinding, NameVolume, KeepVolume, Provision, RaiseCapacity, LetGo };

struct Step {
  std::string_view phase;  // of the claim
  std::string_view reason;
  Duty duty = Duty::Rest;
  std::string_view resizing = {};  // why the claim is not yet as large as it is to be; empty when it is

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

}  // namespace godwit::controllers::claim
