#include "importer/qemu_img.hpp"

#include <poll.h>

#include <csignal>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/process.hpp"

namespace godwit::importer {
namespace {

constexpr int kAskEveryMs = 200;

// It must not go on writing when the importer is killed: the next one begins again.
std::vector<std::string> commandFor(const Conversion& conversion) {
  std::vector<std::string> argv;
  for (const char* word :
       {"/usr/bin/setpriv", "--pdeathsig", "KILL", "/usr/bin/qemu-img", "convert", "-n", "-t", "writeback", "-f"})
    argv.emplace_back(word);
  argv.push_back(conversion.format);
  argv.emplace_back("-O");
  argv.push_back(conversion.target.format);
  if (conversion.targetIsZero) argv.emplace_back("--target-is-zero");
  argv.push_back(conversion.source);
  argv.push_back(conversion.target.qemuName());
  return argv;
}

std::string lastComplaint(const std::string& file) {
  std::string text = readFile(file).value_or("");
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Result<> convert(const Conversion& conversion, const std::function<Result<>()>& goOn) {
  Process child = TRY(Process::start(
      {.argv = commandFor(conversion), .outputFile = conversion.complaints, .errorFile = conversion.complaints}));
  for (;;) {
    pollfd ended{.fd = child.descriptor(), .events = POLLIN, .revents = 0};
    ::poll(&ended, 1, kAskEveryMs);
    if (const auto exit = TRY(child.poll())) {
      if (*exit == Exit{}) return {};
      return fail(Code::Internal, fmt::format("qemu-img cannot convert it: {}", lastComplaint(conversion.complaints)));
    }
    if (auto wanted = goOn(); !wanted) {
      TRY(child.kill(SIGKILL));
      TRY(child.wait());
      return wanted;
    }
  }
}

}  // namespace godwit::importer
