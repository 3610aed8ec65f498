#include "controllers/data_volume/status.hpp"

#include <fmt/format.h>

#include "controllers/importer_pod.hpp"

namespace godwit::controllers::data_volume {
namespace {

using enum kinds::DataVolumePhase;

kinds::Condition condition(std::string type, bool holds, std::string reason, std::string message = "") {
  return {.type = std::move(type),
          .status = holds ? "True" : "False",
          .reason = std::move(reason),
          .message = std::move(message),
          .lastTransitionTime = {}};
}

std::string messageOf(const std::vector<kinds::Condition>& conditions, std::string_view type) {
  const kinds::Condition* found = kinds::findCondition(conditions, type);
  return found && found->status == "False" ? found->message : "";
}

}  // namespace

std::string reasonFor(const Step& step, const Account& account) {
  return step.reason.empty() && account.pod ? account.pod->status.reason : std::string(step.reason);
}

std::string explain(const Step& step, const Account& account) {
  if (step.phase == Succeeded) return "";
  if (!account.trouble.empty()) return account.trouble;
  if (step.reason == "ClaimExists")
    return fmt::format("claim {} is there already, and not this DataVolume's", account.claim->metadata.name);
  if (account.pod) return troubleOf(*account.pod);
  return account.claim ? messageOf(account.claim->status.conditions, "Bound") : "";
}

kinds::DataVolumeStatus statusAfter(const kinds::DataVolume& volume, const Step& step, const Account& account) {
  kinds::DataVolumeStatus status = volume.status;
  if (step.phase != Unset) status.phase = step.phase;
  status.claimName = volume.metadata.name;
  if (step.duty == Duty::BeginAgain) ++status.restartCount;
  const bool beingFilled = step.phase == ImportInProgress || step.phase == CloneInProgress || step.phase == UploadReady;
  if (step.phase == Succeeded)
    status.progress = "100.0%";
  else if (!beingFilled || status.progress.empty())
    status.progress = "N/A";
  const std::string reason = reasonFor(step, account);
  const bool bound = account.claim && account.claim->bound();
  kinds::setCondition(status.conditions, condition("Bound", bound, bound ? "Bound" : "Pending"), account.now);
  kinds::setCondition(status.conditions, condition("Running", beingFilled, reason, explain(step, account)),
                      account.now);
  kinds::setCondition(status.conditions, condition("Ready", step.phase == Succeeded, reason), account.now);
  return status;
}

}  // namespace godwit::controllers::data_volume
