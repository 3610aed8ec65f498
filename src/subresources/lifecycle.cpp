#include "subresources/lifecycle.hpp"

#include "kinds/words.hpp"
#include "schema/write.hpp"
#include "subresources/refusal.hpp"

namespace godwit::subresources {
namespace {

using kinds::InstancePhase;
using kinds::StateChangeRequest;
using object::Document;

constexpr std::string_view kNotRunning = "VM is not running";

json::object& memberOf(Document& document, std::string_view name) {
  json::value& member = document[name];
  return member.is_object() ? member.get_object() : member.emplace_object();
}

bool lives(const Machine& seen) { return seen.instance && !kinds::isFinal(seen.instance->status.phase); }

StateChangeRequest startRequest(bool paused) {
  StateChangeRequest request{.action = "Start", .data = {}, .uid = ""};
  if (paused) request.data["paused"] = "true";
  return request;
}

StateChangeRequest stopRequest(const Machine& seen) {
  return {.action = "Stop", .data = {}, .uid = seen.instance->metadata.uid};
}

// Only a stop takes the place of what was asked for before and is not done yet. Whoever asks anew does not
// wait for what failed before.
Result<> ask(const Machine& seen, const std::vector<StateChangeRequest>& requests, Document& machine) {
  const bool onlyStop = requests.size() == 1 && requests.front().action == "Stop";
  if (!seen.machine.status.stateChangeRequests.empty() && !onlyStop)
    return refuse(seen.machine, "unable to complete request: stop/start already underway");
  json::array written;
  for (const StateChangeRequest& request : requests) written.push_back(schema::write(request));
  json::object& status = memberOf(machine, "status");
  status["stateChangeRequests"] = std::move(written);
  status.erase("startFailure");
  return {};
}

void setRunning(const Machine& seen, bool running, Document& machine) {
  json::object& spec = memberOf(machine, "spec");
  if (seen.machine.spec.running)
    spec["running"] = running;
  else
    spec["runStrategy"] = running ? "Always" : "Halted";
}

Result<> startAnew(const Machine& seen, bool paused, Document& machine) {
  if (!seen.instance) return ask(seen, {startRequest(paused)}, machine);
  return ask(seen, {stopRequest(seen), startRequest(paused)}, machine);
}

Result<> checkDataIsKnown(const kinds::VirtualMachine& machine) {
  const auto* wanted = kinds::findCondition(machine.status.conditions, kinds::words::kManualRecoveryRequired);
  return wanted ? refuse(machine, "VM recovery required: " + wanted->message) : Result<>{};
}

}  // namespace

Result<> start(const Machine& seen, const StartOptions& options, Document& machine) {
  TRY(checkDataIsKnown(seen.machine));
  if (lives(seen) && seen.instance->status.phase != InstancePhase::Unset)
    return refuse(seen.machine, "VM is already running");
  const std::string strategy = seen.machine.spec.strategy();
  if (strategy == "Halted") {
    if (options.paused) return ask(seen, {startRequest(true)}, machine);
    setRunning(seen, true, machine);
    return {};
  }
  if (strategy == "Always" || strategy == "Once")
    return refuse(seen.machine, strategy + " does not support manual start requests");
  if (strategy == "RerunOnFailure" && seen.instance && seen.instance->status.phase == InstancePhase::Failed)
    return refuse(seen.machine, strategy + " does not support starting VM from failed state");
  return startAnew(seen, options.paused, machine);
}

Result<> stop(const Machine& seen, const StopOptions& options, Document& machine) {
  const std::string strategy = seen.machine.spec.strategy();
  if (strategy == "Always" || strategy == "Once") {
    setRunning(seen, false, machine);
    return {};
  }
  if (!lives(seen)) return refuse(seen.machine, kNotRunning);
  const auto& before = seen.instance->spec.terminationGracePeriodSeconds;
  const bool shorter = options.gracePeriod && (!before || *options.gracePeriod < *before);
  if (strategy == "Halted" && !shorter)
    return refuse(seen.machine, "Halted only supports manual stop requests with a shorter graceperiod");
  return ask(seen, {stopRequest(seen)}, machine);
}

Result<> restart(const Machine& seen, const RestartOptions& options, Document& machine) {
  if (options.gracePeriodSeconds && *options.gracePeriodSeconds != 0)
    return fail(Code::Invalid,
                *options.gracePeriodSeconds > 0
                    ? "gracePeriodSeconds can only be 0, which restarts by force; leave it out for a restart as usual"
                    : "gracePeriod has to be greater or equal to 0");
  TRY(checkDataIsKnown(seen.machine));
  const std::string strategy = seen.machine.spec.strategy();
  if (strategy == "Halted" || strategy == "Once")
    return refuse(seen.machine, fmt::format("RunStategy {} does not support manual restart requests", strategy));
  if (!seen.instance) return refuse(seen.machine, fmt::format("{}: Halted", kNotRunning));
  return startAnew(seen, false, machine);
}

Result<> pause(const kinds::VirtualMachineInstance& seen, Document& instance) {
  if (seen.status.phase != InstancePhase::Running) return refuse(seen, kNotRunning);
  if (seen.toBePaused()) return refuse(seen, "VMI is already paused");
  if (seen.moving())
    return refuse(seen, fmt::format("Cannot pause VM '{}' because it is currently being migrated", seen.metadata.name));
  json::value& annotations = memberOf(instance, "metadata")["annotations"];
  if (!annotations.is_object()) annotations = json::object();
  annotations.get_object()[kinds::words::kPaused] = "true";
  return {};
}

Result<> unpause(const kinds::VirtualMachineInstance& seen, Document& instance) {
  if (seen.status.phase != InstancePhase::Running) return refuse(seen, "VMI is not running");
  if (!seen.toBePaused()) return refuse(seen, "VMI is not paused");
  memberOf(instance, "metadata")["annotations"].as_object().erase(kinds::words::kPaused);
  return {};
}

Result<> checkMigratable(const kinds::VirtualMachineInstance& instance) {
  if (instance.status.phase != InstancePhase::Running) return refuse(instance, kNotRunning);
  if (instance.toBePaused())
    return refuse(instance, fmt::format("Cannot migrate VM '{}' because it is paused", instance.metadata.name));
  return {};
}

}  // namespace godwit::subresources
