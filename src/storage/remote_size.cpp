#include "storage/remote_size.hpp"

#include <poll.h>

#include <csignal>

#include <fmt/format.h>

#include "base/memory_file.hpp"
#include "base/process.hpp"
#include "object/document.hpp"
#include "storage/place.hpp"

namespace godwit::storage {
namespace {

constexpr const char* kQemuImg = "/usr/bin/qemu-img";
// libiscsi itself would wait for minutes.
constexpr int kPatienceMs = 20'000;

std::vector<std::string> commandFor(const hypervisor::DiskSource& source, const MemoryFile& password) {
  // A guest may have the disk open: it is only looked at.
  std::vector<std::string> argv = {kQemuImg, "info", "--output=json", "--force-share"};
  if (source.remote.login) {
    argv.emplace_back("--object");
    argv.push_back(fmt::format("secret,id={},file={}", Place::kLoginSecret, password.path()));
  }
  argv.push_back(Place::of(source).qemuName());
  return argv;
}

Result<Exit> waitFor(Process& child) {
  pollfd ended{.fd = child.descriptor(), .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, kPatienceMs) > 0) return child.wait();
  TRY(child.kill(SIGKILL));
  TRY(child.wait());
  return fail(Code::Timeout, fmt::format("its size is not told within {} seconds", kPatienceMs / 1000));
}

std::string lastLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Result<std::int64_t> readVirtualSize(const std::string& said) {
  boost::system::error_code unreadable;
  const json::value read = json::parse(said, unreadable);
  const json::object* found = unreadable ? nullptr : read.if_object();
  const json::value* size = found ? found->if_contains("virtual-size") : nullptr;
  if (!size || !size->is_int64()) return fail(Code::Unavailable, "qemu-img tells no size");
  return size->get_int64();
}

Result<std::int64_t> measureRemote(const hypervisor::DiskSource& source, const std::string& password) {
  const MemoryFile secret = TRY(MemoryFile::holding(password));
  const MemoryFile said = TRY(MemoryFile::holding(""));
  const MemoryFile complaint = TRY(MemoryFile::holding(""));
  Process child = TRY(
      Process::start({.argv = commandFor(source, secret), .outputFile = said.path(), .errorFile = complaint.path()}));
  if (const Exit ended = TRY(waitFor(child)); !(ended == Exit{}))
    return fail(Code::Unavailable, fmt::format("its size cannot be told: {}", lastLine(TRY(complaint.content()))));
  const std::string text = TRY(said.content());
  return readVirtualSize(text);
}

}  // namespace godwit::storage
