#include "hypervisor/libvirt/sign_of_life.hpp"

#include <utility>

namespace godwit::hypervisor::libvirt {

namespace {

// As long as a guest stands still that has little left to send.
constexpr std::chrono::milliseconds kRecent{50};

}  // namespace

SignOfLife::Question SignOfLife::ask() {
  const auto question = questions_.begin([target = target_]() -> Result<unsigned long> {
    unsigned long version = 0;
    if (virConnectGetLibVersion(target.get(), &version) < 0) return fail(lastError(Code::Unavailable));
    return version;
  });
  const Lock lock(mutex_);
  last_ = question;
  asked_ = clock_.now();
  return question;
}

SignOfLife::Question SignOfLife::recent() {
  const Lock lock(mutex_);
  return clock_.now() - asked_ < kRecent ? last_ : nullptr;
}

bool SignOfLife::comesWithin(std::chrono::milliseconds patience) {
  Question question = recent();
  if (!question) question = ask();
  const auto answer = question->answerWithin(patience);
  return answer && *answer;
}

Result<std::shared_ptr<void>> askWhenStopped(const Domain& domain, const std::shared_ptr<SignOfLife>& sign) {
  // Whoever lets go of the last copy waits for an answer, and that must not be the thread of all events.
  using Sign = std::weak_ptr<SignOfLife>;
  const auto onLifecycle = [](virConnectPtr, virDomainPtr, int event, int detail, void* kept) {
    const bool stopped = event == VIR_DOMAIN_EVENT_SUSPENDED && detail == VIR_DOMAIN_EVENT_SUSPENDED_MIGRATED;
    if (const auto asking = stopped ? static_cast<Sign*>(kept)->lock() : nullptr) asking->ask();
    return 0;
  };
  virConnect* const connection = virDomainGetConnect(domain.get());
  auto kept = std::make_unique<Sign>(sign);
  const int made = virConnectDomainEventRegisterAny(
      connection, domain.get(), VIR_DOMAIN_EVENT_ID_LIFECYCLE, VIR_DOMAIN_EVENT_CALLBACK(+onLifecycle), kept.get(),
      [](void* ending) { std::unique_ptr<Sign>(static_cast<Sign*>(ending)); });
  if (made < 0) return fail(lastError(Code::Unavailable));
  return std::shared_ptr<void>(kept.release(), [domain, made](void*) {
    virConnectDomainEventDeregisterAny(virDomainGetConnect(domain.get()), made);
  });
}

}  // namespace godwit::hypervisor::libvirt
