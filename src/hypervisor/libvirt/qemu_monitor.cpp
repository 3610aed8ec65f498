#include "hypervisor/libvirt/qemu_monitor.hpp"

#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/unix_socket.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

namespace json = boost::json;

Failure cannotSpeak(const char* why) { return fail(Code::Unavailable, fmt::format("cannot speak to QEMU: {}", why)); }

timeval toTimeval(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_usec = std::chrono::microseconds(time - seconds).count()};
}

}  // namespace

std::string textAt(const json::value& value, const char* pointer) {
  boost::system::error_code absent;
  const json::value* const found = value.find_pointer(pointer, absent);
  return found && found->is_string() ? found->get_string().c_str() : "";
}

Result<json::value> valueIn(const json::object& answer, std::string_view command) {
  if (const json::value* const value = answer.if_contains("return")) return *value;
  return fail(Code::Conflict, fmt::format("QEMU refuses {}: {}", command, textAt(answer, "/error/desc")));
}

Result<QemuMonitor> QemuMonitor::open(const std::string& socket, std::chrono::milliseconds patience) {
  QemuMonitor monitor(TRY(connectTo(socket)));
  const timeval limit = toTimeval(patience);
  for (const int direction : {SO_RCVTIMEO, SO_SNDTIMEO})
    if (setsockopt(monitor.socket_.number(), SOL_SOCKET, direction, &limit, sizeof limit) < 0)
      return cannotSpeak(std::strerror(errno));
  TRY(monitor.ask("qmp_capabilities"));
  return monitor;
}

Result<json::value> QemuMonitor::ask(std::string_view command, const json::object& arguments) {
  json::object question = {{"execute", command}};
  if (!arguments.empty()) question["arguments"] = arguments;
  const std::string text = json::serialize(question) + "\n";
  if (send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return cannotSpeak(std::strerror(errno));
  for (;;) {
    const json::object answer = TRY(hear());
    if (answer.contains("return") || answer.contains("error")) return valueIn(answer, command);
  }
}

// Greetings and events are messages, too.
Result<json::object> QemuMonitor::hear() {
  std::size_t end = 0;
  while ((end = heard_.find('\n')) == std::string::npos) {
    std::array<char, 4096> words;
    const ssize_t size = recv(socket_.number(), words.data(), words.size(), 0);
    if (size <= 0) return cannotSpeak(size == 0 ? "it hung up" : std::strerror(errno));
    heard_.append(words.data(), static_cast<std::size_t>(size));
  }
  boost::system::error_code failed;
  const json::value message = json::parse(std::string_view(heard_).substr(0, end), failed);
  heard_.erase(0, end + 1);
  if (failed || !message.is_object()) return cannotSpeak("it says what cannot be understood");
  return message.get_object();
}

}  // namespace godwit::hypervisor::libvirt
