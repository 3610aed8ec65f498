#include "storage/qemu_img.hpp"

#include <poll.h>

#include <csignal>

#include <fmt/format.h>

#include "base/memory_file.hpp"
#include "base/process.hpp"
#include "storage/place.hpp"

namespace godwit::storage {
namespace {

constexpr const char* kQemuImg = "/usr/bin/qemu-img";
Result<Exit> waitFor(Process& child, Duration patience) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(patience).count();
  pollfd ended{.fd = child.descriptor(), .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, static_cast<int>(ms)) > 0) return child.wait();
  TRY(child.kill(SIGKILL));
  TRY(child.wait());
  return fail(Code::Timeout, fmt::format("qemu-img is not done within {} seconds", ms / 1000));
}

std::string lastLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Result<QemuImgAnswer> askQemuImg(const char* verb, const std::vector<std::string>& words, const std::string* password,
                                 Duration patience) {
  const MemoryFile secret = TRY(MemoryFile::holding(password ? *password : ""));
  const MemoryFile said = TRY(MemoryFile::holding(""));
  const MemoryFile complaint = TRY(MemoryFile::holding(""));
  Command command{.argv = {kQemuImg, verb}, .outputFile = said.path(), .errorFile = complaint.path()};
  if (password) {
    command.argv.emplace_back("--object");
    command.argv.push_back(fmt::format("secret,id={},file={}", Place::kLoginSecret, secret.path()));
  }
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  Process child = TRY(Process::start(command));
  const Exit ended = TRY(waitFor(child, patience));
  QemuImgAnswer answer;
  answer.said = TRY(said.content());
  answer.complaint = lastLine(TRY(complaint.content()));
  if (ended.signal != 0) return fail(Code::Unavailable, fmt::format("qemu-img died of signal {}", ended.signal));
  answer.status = ended.status;
  return answer;
}

std::string qemuNameOfZeros(std::int64_t bytes) {
  return fmt::format(R"(json:{{"driver":"raw","file":{{"driver":"null-co","read-zeroes":true,"size":{}}}}})", bytes);
}

}  // namespace godwit::storage
