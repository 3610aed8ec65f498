#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinds/virtual_machine.hpp"

// A VirtualMachine is the wish that an instance exists, or does not: by its run strategy, and by what was asked for.
namespace godwit::controllers::virtual_machine {

struct Observed {
  struct Instance {
    kinds::InstancePhase phase = kinds::InstancePhase::Unset;
    bool beingDeleted = false;
    bool moving = false;
    bool volumesUnfilled = false;
    std::string uid = {};
    Duration ran = {};           // from its start to its end, or until now
    bool volumesMoving = false;  // which claims are its machine's is not decided yet
    bool paused = false;
    bool unschedulable = false;
    bool mayGoElsewhere = false;  // than its machine says by now
    bool leftBehind = false;      // on a claim that its machine has left: it can never start
  };
  // What an instance would find, or waits for.
  enum class Volumes { Ready, BeingCopied, Provisioning, DataVolumeFailed, ClaimMissing, Unbound };

  std::string strategy = {};
  std::string strategyBefore = {};  // on record
  bool beingDeleted = false;
  std::optional<Instance> instance = {};
  Volumes volumes = Volumes::Ready;
  bool dataMissing = false;  // claims hold the data that are not there: to start on others would be to lose it
  std::vector<kinds::StateChangeRequest> requests = {};
  std::optional<kinds::StartFailure> failure = {};  // on record
  Timestamp now = {};
};

enum class Duty {
  Rest,
  TurnOn,  // a halted machine that was asked to start becomes one that always runs
  MakeDataVolumes,
  CreateInstance,
  DeleteInstance,
  PassOnPlacement,  // where the machine may go, to the instance: its next migration goes by it
};

struct Step {
  std::string_view printableStatus;
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

// The failures to have on record: one more when an instance has ended soon after its start. Each is followed
// by a longer wait; an instance that has run for a while is the end of the row.
std::optional<kinds::StartFailure> failureAfter(const Observed& observed);

// What was asked for and is not done yet. A machine that runs again after failures asks for that itself,
// before the failed instance goes.
std::vector<kinds::StateChangeRequest> requestsAfter(const Observed& observed);

// The strategy to have on record. One that starts its machine by itself, but only once, is on record when that is done.
std::string strategyAfter(const Observed& observed);

// Whether the instance that is asked for is to wait before it runs.
bool startsPaused(const std::vector<kinds::StateChangeRequest>& requests);

}  // namespace godwit::controllers::virtual_machine
