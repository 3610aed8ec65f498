#include "bin/wiring.hpp"

#include <net/if.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/process.hpp"
#include "bin/readiness.hpp"

namespace godwit::bin {
namespace {

constexpr const char* kIpProgram = "/usr/sbin/ip";

// Data that nobody acknowledges is sent again so many times, each after twice as long: then the other host counts as
// gone. By default that takes a quarter of an hour, and no migration can be called off meanwhile.
constexpr std::pair<const char*, const char*> kNetworkPatience[] = {{"/proc/sys/net/ipv4/tcp_retries2", "4"},
                                                                    {"/proc/sys/net/ipv4/tcp_syn_retries", "2"}};

Result<> ip(std::vector<std::string> words, const std::string& errorFile = "") {
  words.insert(words.begin(), kIpProgram);
  auto asked = TRY(Process::start({.argv = words, .errorFile = errorFile}));
  if (TRY(asked.wait()) == Exit{}) return {};
  return fail(Code::Unavailable, fmt::format("`{}` has failed", fmt::join(words, " ")));
}

bool isThere(const std::string& interface) { return if_nametoindex(interface.c_str()) != 0; }

// The end of a node's wire vanishes with the node's namespace, but nobody knows when.
Result<> removeInterface(const std::string& name) {
  const auto gone = ip({"link", "delete", name}, "/dev/null");
  return gone || isThere(name) ? gone : Result<>{};
}

// Names have fifteen characters at most, and two Godwits side by side share none.
std::string prefixOf(const Layout& layout) {
  return fmt::format("gw{:06x}", std::hash<std::string>{}(layout.root.string()) & 0xff'ffff);
}

std::string bridgeName(const std::string& prefix, std::size_t network) { return fmt::format("{}b{}", prefix, network); }

std::uint32_t numberOf(const std::string& node) {
  return static_cast<std::uint32_t>(std::strtoul(node.substr(node.find('-') + 1).c_str(), nullptr, 10));
}

std::string addressWithLength(const Cidr& network, std::uint32_t host) {
  return fmt::format("{}/{}", network.host(host), network.length());
}

Result<> putSetting(const std::string& setting, const char* value) {
  std::ofstream file(setting);
  file << value;
  file.close();
  return file ? Result<>{} : fail(Code::Internal, "cannot write " + setting);
}

std::vector<std::string> wordsIn(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

Result<Wiring> Wiring::plan(const Layout& layout, const std::vector<std::string>& asked, int nodes) {
  const auto kept = wordsIn(readFile(layout.networks()).value_or(""));
  const auto& texts = asked.empty() ? kept : asked;
  // Volumes, and nodes that run, know the machine by its address.
  if (texts != kept && std::filesystem::exists(layout.port()))
    return fail(Code::Conflict, fmt::format("the networks of the Godwit in {} are for good: {}", layout.root.string(),
                                            kept.empty() ? "none" : fmt::format("{}", fmt::join(kept, " "))));
  std::vector<Cidr> networks;
  for (const std::string& text : texts) {
    networks.push_back(TRY(Cidr::parse(text)));
    if (networks.back().hosts() <= static_cast<unsigned>(nodes))
      return fail(Code::Invalid, fmt::format("{} has no {} addresses", text, nodes + 1));
  }
  if (!networks.empty() && ::geteuid() != 0) return fail(Code::Forbidden, "only root can give nodes a network");
  return Wiring(prefixOf(layout), std::move(networks));
}

std::string Wiring::machineAddress() const { return empty() ? "127.0.0.1" : networks_.front().host(1); }

std::vector<std::string> Wiring::addressesOf(const std::string& node) const {
  std::vector<std::string> addresses;
  for (const Cidr& network : networks_) addresses.push_back(addressWithLength(network, 1 + numberOf(node)));
  return addresses;
}

Result<> Wiring::layBridges() const {
  for (std::size_t i = 0; i < networks_.size(); ++i) {
    const std::string bridge = bridgeName(prefix_, i);
    if (!isThere(bridge)) TRY(ip({"link", "add", bridge, "type", "bridge"}));
    TRY(ip({"address", "replace", addressWithLength(networks_[i], 1), "dev", bridge}));
    TRY(ip({"link", "set", bridge, "up"}));
  }
  return {};
}

Result<> Wiring::connect(const std::string& node, pid_t process) const {
  for (std::size_t i = 0; i < networks_.size(); ++i) {
    const std::string plug = fmt::format("{}n{}.{}", prefix_, numberOf(node), i);
    // Of an earlier life of the node.
    if (isThere(plug)) TRY(removeInterface(plug));
    TRY(ip({"link", "add", plug, "type", "veth", "peer", "name", fmt::format("eth{}", i), "netns",
            std::to_string(process)}));
    TRY(ip({"link", "set", plug, "master", bridgeName(prefix_, i), "up"}));
  }
  return {};
}

void removeWiring(const Layout& layout) {
  const std::unique_ptr<struct if_nameindex, decltype(&if_freenameindex)> all(if_nameindex(), &if_freenameindex);
  for (const struct if_nameindex* each = all.get(); each && each->if_name; ++each) {
    const std::string name = each->if_name;
    if (!name.starts_with(prefixOf(layout))) continue;
    if (const auto gone = removeInterface(name); !gone) log::error("{}", gone.error().message);
  }
}

Result<> settleOnNetwork(const std::vector<std::string>& addresses) {
  TRY(ip({"link", "set", "lo", "up"}));
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string interface = fmt::format("eth{}", i);
    TRY(insist(
        [&]() -> Result<> {
          return isThere(interface) ? Result<>{} : fail(Code::Timeout, "nobody has made " + interface);
        },
        {}));
    TRY(ip({"address", "replace", addresses[i], "dev", interface}));
    TRY(ip({"link", "set", interface, "up"}));
  }
  for (const auto& [setting, value] : kNetworkPatience) TRY(putSetting(setting, value));
  return {};
}

}  // namespace godwit::bin
