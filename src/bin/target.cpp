#include "bin/target.hpp"

#include <unistd.h>

#include "base/log.hpp"
#include "bin/readiness.hpp"
#include "kinds/words.hpp"
#include "storage/lun_shelf.hpp"

namespace godwit::bin {
namespace {

constexpr const char* kProgram = "/usr/sbin/tgtd";
constexpr const char* kName = "tgtd";
constexpr const char* kFrontEnd = "--iscsi";  // tells it from whatever else has its number
// It turns a deaf ear to SIGTERM while it has targets; what it was told to write is in its files.
constexpr int kEndSignal = SIGKILL;

}  // namespace

bool hasTarget() { return ::geteuid() == 0 && ::access(kProgram, X_OK) == 0; }

Service targetService(const Layout& layout, const std::string& portal) {
  return {.name = kName,
          .command = {.argv = {kProgram, "--foreground", kFrontEnd, "portal=" + portal},
                      .outputFile = layout.log(kName),
                      .errorFile = layout.log(kName),
                      .ownSession = true,
                      .environment = {"TGT_IPC_SOCKET=" + layout.lunControl().string()}},
          .pidFile = layout.pidFile(kName),
          .endSignal = kEndSignal,
          .started = [layout](std::stop_token stop) {
            storage::LunShelf shelf(layout.luns(), layout.lunControl());
            const auto served = insist([&] { return shelf.serveAll(); }, stop);
            if (!served) log::error("{}", served.error().message);
          }};
}

kinds::StorageClass targetClass(const Layout& layout, const std::string& portal) {
  kinds::StorageClass made;
  made.metadata.name = "iscsi";
  made.provisioner = kinds::words::kIscsiProvisioner;
  made.parameters = {{"portal", portal}, {"control", layout.lunControl()}, {"directory", layout.luns()}};
  return made;
}

Result<> endTarget(const Layout& layout) { return endProcess(layout.pidFile(kName), kFrontEnd, kEndSignal); }

}  // namespace godwit::bin
