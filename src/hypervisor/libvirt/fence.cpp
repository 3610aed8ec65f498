#include "hypervisor/libvirt/fence.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

using std::chrono::milliseconds;

constexpr int kTries = 20;
// The death of a QEMU waits for the disk operations it has begun.
constexpr milliseconds kDeathPatience{10'000};
constexpr milliseconds kLookPatience{2'000};
// A daemon that ends a domain itself holds on to it until QEMU has obeyed, which a frozen one cannot: unless
// the answer comes at once, the process is let go to die.
constexpr milliseconds kFrozenLookPatience{25};

Result<Fencing> conclude(Standing standing) {
  switch (standing) {
    case Standing::Running:
      return Fencing::StillRunning;
    case Standing::HandedOver:
    case Standing::Gone:
      return Fencing::Fenced;
    case Standing::Otherwise:
      return fail(Code::Conflict, "the domain stands still, and not because of a migration");
  }
  __builtin_unreachable();
}

bool mayBeKilled(Standing standing) { return standing == Standing::HandedOver || standing == Standing::Gone; }

}  // namespace

Result<Fencing> Fence::shut(const Question& standing, QemuProcess& qemu) {
  for (int tries = 0; tries < kTries; ++tries) {
    // Without a freeze first: what needs none is left in peace, and a process that is dying may die.
    if (const Standing seen = TRY(look(standing, qemu, kLookPatience)); !mayBeKilled(seen)) return conclude(seen);
    TRY(qemu.freeze());
    const auto seen = look(standing, qemu, kFrozenLookPatience);
    if (seen && mayBeKilled(*seen)) {
      TRY(qemu.kill(kDeathPatience));
      return Fencing::Fenced;
    }
    TRY(qemu.thaw());
    if (seen) return conclude(*seen);
    if (seen.error().code != Code::Timeout) return fail(seen.error());
  }
  return fail(Code::Timeout, "the daemon does not say how the domain stands");
}

Result<Standing> Fence::look(const Question& standing, const QemuProcess& qemu, milliseconds patience) {
  const auto inquiry = inquiries_.begin(standing);
  if (qemu.diesBefore(inquiry->descriptor(), patience)) return Standing::Gone;
  if (const auto answer = inquiry->answer()) return *answer;
  return fail(Code::Timeout, "the daemon does not say how the domain stands");
}

}  // namespace godwit::hypervisor::libvirt
