#include "bin/layout.hpp"

#include <unistd.h>

#include <functional>

#include <fmt/format.h>

namespace godwit::bin {

// The same node keeps its identity over restarts; two Godwits side by side do not share any.
hypervisor::libvirt::House Layout::house(const std::string& name, const std::string& address) const {
  const std::size_t place = std::hash<std::string>{}(node(name).string());
  std::optional<hypervisor::libvirt::Doorstep> doorstep;
  if (!address.empty()) doorstep = {.address = address, .certificates = certificates(name)};
  return {.directory = node(name) / "host",
          .hostUuid = fmt::format("{:08x}-0000-4000-8000-{:012x}", place >> 32, place & 0xffff'ffff'ffffULL),
          .warmCache = node(nodeName(1)) / "host" / "cache" / "libvirt",
          .rootless = ::geteuid() != 0,
          .doorstep = doorstep};
}

std::string nodeName(int number) { return fmt::format("node-{}", number); }

std::vector<std::string> nodeNames(int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(nodeName(i));
  return names;
}

}  // namespace godwit::bin
