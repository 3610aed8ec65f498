#include "hypervisor/libvirt/fence.hpp"

#include <algorithm>

namespace godwit::hypervisor::libvirt {

namespace {

using std::chrono::milliseconds;

constexpr int kTries = 20;
constexpr milliseconds kLookPatience{2'000};
// A daemon that ends a domain itself holds on to it until QEMU has obeyed, which a frozen one cannot: unless
// the answer comes soon, the process is let go to die. The guest waits meanwhile, so the first try is short.
constexpr milliseconds kFirstFrozenLook{8};
constexpr milliseconds kLongestFrozenLook{32};
// Nobody tells of a signal that another process has got.
constexpr milliseconds kStep{1};

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

// The sooner it is frozen the better: the daemon is about to end it, and to be deaf until that is done.
Result<Fencing> Fence::shut(const Question& standing, QemuProcess& qemu) {
  milliseconds patience = kFirstFrozenLook;
  for (int tries = 0; tries < kTries; ++tries) {
    TRY(qemu.freeze());
    const auto frozen = look(standing, qemu, patience);
    if (frozen && mayBeKilled(*frozen)) {
      TRY(qemu.kill());
      return Fencing::Fenced;
    }
    TRY(qemu.thaw());
    if (frozen) return conclude(*frozen);
    if (frozen.error().code != Code::Timeout) return fail(frozen.error());
    if (const Standing seen = TRY(look(standing, qemu, kLookPatience)); seen != Standing::HandedOver)
      return conclude(seen);
    patience = std::min(patience * 2, kLongestFrozenLook);
  }
  return fail(Code::Timeout, "the daemon does not say how the domain stands");
}

Result<Standing> Fence::look(const Question& standing, const QemuProcess& qemu, milliseconds patience) {
  const auto inquiry = inquiries_.begin(standing);
  for (milliseconds waited{0}; waited < patience; waited += kStep) {
    // One that was told to end is as good as dead, and its daemon says nothing before it is.
    if (qemu.isToldToEnd() || qemu.diesBefore(inquiry->descriptor(), kStep)) return Standing::Gone;
    if (const auto answer = inquiry->answer()) return *answer;
  }
  return fail(Code::Timeout, "the daemon does not say how the domain stands");
}

}  // namespace godwit::hypervisor::libvirt
