#pragma once

#include <csignal>

// What the programs have in common that outlive whoever sent them.
namespace godwit::bin {

// How one ends that could not begin; nothing was changed.
inline constexpr int kCannotBegin = 2;

// Nothing but a verdict ends an errand: to give up is asked for by a file, which is still there when it has to be
// started again.
inline void outliveSignals() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
}

}  // namespace godwit::bin
