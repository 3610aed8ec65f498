#pragma once

#include <chrono>
#include <memory>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"
#include "hypervisor/libvirt/handle.hpp"
#include "hypervisor/libvirt/inquiry.hpp"

namespace godwit::hypervisor::libvirt {

// Whether the daemon of a target is there to let a guest run. It is asked as soon as the guest stands still, and has
// answered by when the guest is sent: nobody waits for it then.
class SignOfLife {
 public:
  explicit SignOfLife(Connection target) : target_(std::move(target)) {}

  using Question = std::shared_ptr<Inquiry<unsigned long>>;
  Question ask();
  // Asks again when the answer is of long ago.
  bool comesWithin(std::chrono::milliseconds patience);

 private:
  Question recent();

  const Connection target_;
  const SystemClock clock_;
  Inquiries<unsigned long> questions_;
  Mutex mutex_;
  Question last_ GUARDED_BY(mutex_);
  Timestamp asked_ GUARDED_BY(mutex_);
};

// Asks for it whenever the domain stands still to be sent; until the last copy of what this returns is let go of.
Result<std::shared_ptr<void>> askWhenStopped(const Domain& domain, const std::shared_ptr<SignOfLife>& sign);

}  // namespace godwit::hypervisor::libvirt
