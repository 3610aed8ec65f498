#include "controllers/migration/failure.hpp"

#include "schema/codec.hpp"

namespace godwit::controllers::migration {
namespace {

constexpr std::string_view kTransient = "Transient";
constexpr std::string_view kCapacity = "Capacity";
constexpr std::string_view kTopology = "Topology";
constexpr std::string_view kQuota = "Quota";
constexpr std::string_view kPermanent = "Permanent";
constexpr std::string_view kCancelled = "Cancelled";

struct Advice {
  std::string_view reason;
  std::string_view failureClass;
  std::string_view hint;
};

// The table's own reasons, then the mover's.
constexpr Advice kAdvice[] = {
    {"Cancelled", kCancelled, "make a new migration if the guest is to move after all"},
    {"InstanceNotFound", kPermanent, "name a VMI of the migration's namespace"},
    {"InstanceEnded", kPermanent, "start the VM, then make a new migration"},
    {"InstanceLost", kPermanent, "nothing is left to move: the VMI ended, or was given to another migration"},
    {"InstancePaused", kPermanent, "unpause the VM, then make a new migration"},
    {"DestinationNotFound", kPermanent, "make the claim, then a new migration"},
    {"VolumeNotAttached", kPermanent, "name claims that the VM uses"},
    {"VolumeRefused", kPermanent, "do what the message says, then make a new migration"},
    {"PreparationFailed", kPermanent, "do what the message says, then make a new migration"},
    {"ConflictingNodeSelectors", kTopology, "ask for nodes in a way that some node can meet"},
    {"NoMatchingNode", kTopology, "ask for nodes that there are, or for none in particular"},
    {"AlreadyOnNode", kTopology, "nothing is left to do, unless another node is meant"},
    {"ExcludedByVirtualMachine", kTopology, "change what the VM asks of its nodes, or what the migration does"},
    {"TargetIsSource", kTopology, "let the guest go to another node than the one it is on"},
    {"Unschedulable", kCapacity, "make room on a node that reaches the guest's volumes, or add one"},
    {"QuotaExceeded", kQuota, "raise the quota of the namespace, or end something in it; then make a new migration"},
    {"TargetFailed", kTransient, "make a new migration; if it fails again, look at the target's pod and its node"},
    {"SourceDied", kTransient, "the VM is started elsewhere, by its run strategy; nothing has to be done"},

    {"CopyFailed", kTransient, "make a new migration; if it fails again, look at storage and network of both nodes"},
    {"CopiesDiffer", kPermanent,
     "look at the storage that the copy was made on; the guest runs on, and its source is whole"},
    {"CannotVerify", kPermanent, "make the copies readable for the guest's node, or leave spec.verify out"},
    {"TargetLost", kTransient, "make a new migration; the guest runs on where it was"},
    {"SourceResumed", kTransient, "make a new migration; the guest runs on where it was"},
    {"IncompatibleProcessor", kTopology, "give the VM a processor model that the target has, too, and restart it"},
    {"GuestLost", kPermanent,
     "the VM is started anew, by its run strategy; look at the logs of its node for why it died"},
};

constexpr Advice kElse = {"", kTransient, "make a new migration; if it fails again, the message says where to look"};

const Advice& adviceOn(std::string_view reason) {
  for (const Advice& advice : kAdvice)
    if (advice.reason == reason) return advice;
  return kElse;
}

}  // namespace

kinds::MigrationFailure failureOf(const Step& step, const Observed& observed) {
  const bool moverSaid = observed.mover && observed.mover->failed && !observed.mover->reason.empty();
  const bool targetRefused = step.reason == "TargetFailed" && observed.target && observed.target->refused;
  const std::string reason = moverSaid       ? observed.mover->reason
                             : targetRefused ? "PreparationFailed"
                                             : std::string(step.reason);
  const Advice& advice = adviceOn(reason);
  return {.stage = observed.stage.empty() ? std::string(schema::nameOf(observed.phase)) : observed.stage,
          .failureClass = std::string(advice.failureClass),
          .reason = reason,
          .message = explain(step, observed),
          .hint = std::string(advice.hint)};
}

}  // namespace godwit::controllers::migration
