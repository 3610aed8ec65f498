#include "hypervisor/libvirt/detour.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <libvirt/libvirt-qemu.h>

#include "hypervisor/libvirt/qemu_monitor.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

namespace json = boost::json;

// So long a mirror waits for a server that is not there.
constexpr int kServerMayBeAwaySeconds = 30;

std::string serverNodeOf(const std::string& disk) { return "godwit-" + disk; }

Result<json::value> askQemu(virDomain& domain, std::string_view command, const json::object& arguments) {
  const std::string question = json::serialize(json::object{{"execute", command}, {"arguments", arguments}});
  char* text = nullptr;
  if (virDomainQemuMonitorCommand(&domain, question.c_str(), &text, VIR_DOMAIN_QEMU_MONITOR_COMMAND_DEFAULT) < 0)
    return fail(lastError());
  boost::system::error_code unreadable;
  const json::value answer = json::parse(takeText(text), unreadable);
  if (unreadable || !answer.is_object()) return fail(Code::Internal, "QEMU says what cannot be understood");
  return valueIn(answer.get_object(), command);
}

Result<json::array> nodesOf(virDomain& domain) {
  json::value nodes = TRY(askQemu(domain, "query-named-block-nodes", {{"flat", true}}));
  if (!nodes.is_array()) return fail(Code::Internal, "QEMU says what cannot be understood");
  return std::move(nodes.get_array());
}

const json::value* findNode(const json::array& nodes, const std::string& name) {
  const auto* const found = std::find_if(nodes.begin(), nodes.end(),
                                         [&](const json::value& node) { return textAt(node, "/node-name") == name; });
  return found == nodes.end() ? nullptr : found;
}

// QEMU has a node for where the bytes are, and one for what they mean, to which the mirror writes. libvirt names both.
struct Destination {
  std::string bytes;
  std::string image;
  json::value cache;  // how the image is open
  std::string zeros;  // and what is made of those that are written to it
};

constexpr std::string_view kBytes = "-storage";

bool isNodeOf(const json::value& node, const DiskSource& destination) {
  const std::string place = fmt::format("nfs://{}{}", destination.remote.hosts.at(0).name, destination.path);
  const std::string found = textAt(node, "/file");
  return textAt(node, "/drv") == "nfs" && textAt(node, "/node-name").ends_with(kBytes) &&
         (found == place || found.starts_with(place + "?"));
}

Result<Destination> findDestination(const json::array& nodes, const DiskSource& destination) {
  const auto* const bytes =
      std::find_if(nodes.begin(), nodes.end(), [&](const json::value& node) { return isNodeOf(node, destination); });
  if (bytes == nodes.end()) return fail(Code::NotFound, fmt::format("QEMU does not show {}", destination.path));
  Destination found{.bytes = textAt(*bytes, "/node-name"), .image = {}, .cache = {}, .zeros = {}};
  found.image = found.bytes.substr(0, found.bytes.size() - kBytes.size()) + "-format";
  const json::value* const image = findNode(nodes, found.image);
  if (!image || textAt(*image, "/drv") != "raw")
    return fail(Code::NotFound, fmt::format("QEMU has no image at {}", destination.path));
  found.cache = image->get_object().at("cache");
  found.zeros = textAt(*image, "/detect_zeroes");
  return found;
}

// What is not said anew is as if it had never been said. All that was written before is at its old place when this
// returns.
Result<> lead(virDomain& domain, const Destination& destination, const std::string& to) {
  json::object image{{"driver", "raw"}, {"node-name", destination.image}, {"read-only", false}, {"discard", "unmap"}};
  image["cache"] =
      json::object{{"direct", destination.cache.at("direct")}, {"no-flush", destination.cache.at("no-flush")}};
  image["detect-zeroes"] = destination.zeros;
  image["file"] = to;
  TRY(askQemu(domain, "blockdev-reopen", {{"options", json::array{image}}}));
  return {};
}

}  // namespace

Result<> takeDetour(virDomain& domain, const std::string& disk, const DiskSource& destination,
                    const std::string& socket) {
  const Destination found = TRY(findDestination(TRY(nodesOf(domain)), destination));
  const std::string server = serverNodeOf(disk);
  forgetDetour(domain, disk);
  TRY(askQemu(domain, "blockdev-add",
              {{"driver", "nbd"},
               {"node-name", server},
               {"server", {{"type", "unix"}, {"path", socket}}},
               {"reconnect-delay", kServerMayBeAwaySeconds},
               {"discard", "unmap"}}));
  const auto led = lead(domain, found, server);
  if (!led) forgetDetour(domain, disk);
  return led;
}

Result<> endDetour(virDomain& domain, const std::string& disk, const DiskSource& destination) {
  const json::array nodes = TRY(nodesOf(domain));
  if (!findNode(nodes, serverNodeOf(disk))) return {};
  const Destination found = TRY(findDestination(nodes, destination));
  TRY(lead(domain, found, found.bytes));
  forgetDetour(domain, disk);
  return {};
}

void forgetDetour(virDomain& domain, const std::string& disk) {
  (void)askQemu(domain, "blockdev-del", {{"node-name", serverNodeOf(disk)}});
}

}  // namespace godwit::hypervisor::libvirt
