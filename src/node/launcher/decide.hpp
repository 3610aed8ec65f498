#pragma once

#include <string>
#include <string_view>

// A pod that is a guest: when this node starts it, and when it may end it.
namespace godwit::node::launcher {

struct Observed {
  enum class PodPhase { Pending, Running, Ended };

  PodPhase phase = PodPhase::Pending;
  bool beingDeleted = false;
  bool isTarget = false;  // made to move into, not to start in

  bool domainKnown = true;  // the hypervisor answers
  bool domainHere = false;
  bool domainRuns = false;
  bool domainRan = false;    // it is no longer here, and has gone on here when it arrived; looked at for an orphan
  bool standsStill = false;  // and no migration is the reason
  bool poweredOff = false;   // it is no longer here, and ended by itself

  // As the API server itself says, asked after the hypervisor.
  bool instanceExists = true;
  bool active = false;              // this pod is the instance's active one, here
  bool anotherPodIsActive = false;  // another pod of the instance is, and also here
  bool toBeStarted = false;         // the instance names this node, and its guest never ran
  bool volumesReady = true;  // looked at while the pod is Pending: nobody else fills or copies them, and all stay
  bool moving = false;       // this pod takes part in a move that is not over
  bool orphaned = false;     // this pod is the target of a move whose source is dead, and nobody moves it
  bool toBePaused = false;
  bool graceLeft = false;  // the guest may still take its time to shut down

  // As the pod says.
  bool mayHaveBeenPaused = false;  // by this node, on somebody's wish
  bool missedBefore = false;       // the guest was not here when this was looked at last
};

enum class Duty { Rest, PrepareVolumes, StartGuest, PauseGuest, ResumeGuest, ShutDownGuest, DestroyGuest, Release };

// The reason of a pod whose guest was not here when it was looked for.
inline constexpr std::string_view kGuestMissed = "GuestMissed";

struct Step {
  // Of the pod; empty leaves it as it is. PrepareVolumes and StartGuest bring it to Running themselves.
  std::string_view phase;
  std::string_view reason;
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

}  // namespace godwit::node::launcher
