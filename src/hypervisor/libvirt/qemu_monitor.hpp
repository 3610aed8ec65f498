#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// What QEMU's answer to a command returns. Conflict when it refuses it.
Result<boost::json::value> valueIn(const boost::json::object& answer, std::string_view command);

// A text in what QEMU says, by its JSON pointer; empty when there is none.
std::string textAt(const boost::json::value& value, const char* pointer);

// A conversation with QEMU itself, which has one at a time: with libvirt's daemon, for as long as there is one.
class QemuMonitor {
 public:
  // Nobody waits longer than `patience` for any answer.
  static Result<QemuMonitor> open(const std::string& socket, std::chrono::milliseconds patience);

  // What the command returns. Conflict when QEMU refuses it.
  Result<boost::json::value> ask(std::string_view command, const boost::json::object& arguments = {});

 private:
  explicit QemuMonitor(Descriptor socket) : socket_(std::move(socket)) {}

  Result<boost::json::object> hear();

  Descriptor socket_;
  std::string heard_;
};

}  // namespace godwit::hypervisor::libvirt
